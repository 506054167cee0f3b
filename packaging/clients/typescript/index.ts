import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./schema.js";

export type { components, paths };

/** A client of the service at this address, such as `http://127.0.0.1:8080`. A key raises its limits. */
export function connect(address: string, key?: string): Client<paths> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return createClient<paths>({ baseUrl: `${address}/v1`, headers });
}
