// POST /api/validate with fastify. The variable VALIDATOR selects the validator.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { withAjv, withZod } from "./contract.mjs";

const require = createRequire(pathToFileURL(process.env.PEERS + "/"));
const app = require("fastify")({ bodyLimit: 262144 });
const validate = process.env.VALIDATOR === "ajv" ? withAjv : withZod;

app.post("/api/validate", (request, reply) => {
  reply.header("content-type", "application/json").send(validate(request.body));
});
app.listen({ port: 0, host: "127.0.0.1" }).then((address) => console.log(address));
