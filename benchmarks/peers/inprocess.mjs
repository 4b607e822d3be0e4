// Reads lines `PEER FILE RUNS` and prints the microseconds of CPU time per run and the size of the response.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { withAjv, withZod } from "./contract.mjs";

const peers = { zod: withZod, ajv: withAjv };
for await (const line of createInterface({ input: process.stdin })) {
  const [name, file, runs] = line.split(" ");
  const body = readFileSync(file);
  let size = 0;
  const before = process.cpuUsage();
  for (let run = 0; run < Number(runs); run++) size = peers[name](JSON.parse(body.toString("utf8"))).length;
  const used = process.cpuUsage(before);
  console.log(`${(used.user + used.system) / Number(runs)} ${size}`);
}
