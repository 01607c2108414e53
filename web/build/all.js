import { buildPackage } from "./npm.js";
import { buildPage } from "./page.js";
import { run, web } from "./run.js";

await buildPackage();
run("npm", ["pack", "--silent", "--pack-destination", `${web}dist`, `${web}dist/npm`]);
await buildPage();
