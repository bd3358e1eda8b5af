// The environment that the unit of the service gives it on an appliance.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const UNIT = resolve(import.meta.dirname, '../../build/appliance/systemd/groundcrew.service');

/** Where compiled code is kept differs from machine to machine: who measures says it. */
const ELSEWHERE = new Set(['NODE_COMPILE_CACHE']);

export const serviceEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  [...readFileSync(UNIT, 'utf8').matchAll(/^Environment="?([A-Z_]+)=([^"\n]*)"?$/gm)]
    .map(([, name, value]) => [name!, value!])
    .filter(([name]) => !ELSEWHERE.has(name!)),
);
