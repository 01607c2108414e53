import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The folder of this module, with a slash. */
export const web = fileURLToPath(new URL("..", import.meta.url));

/** Runs a program in this folder, and returns its output. A failure ends the build. */
export function run(program, args, env = {}) {
  const done = spawnSync(program, args, {
    cwd: web,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(`${program} ${args.join(" ")}: exit code ${done.status}`);
  return done.stdout;
}
