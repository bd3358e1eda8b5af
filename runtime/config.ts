// The environment, read once and checked: a bad value stops the start with one clear line.

import { isIP } from 'node:net';
import { hostname as systemHostname } from 'node:os';
import { resolve } from 'node:path';
import type { HostKind } from '../shared/ground/machine/host.ts';
import { preferDriver } from '../shared/ground/store/driver.ts';
import { StartFault } from '../shared/ground/store/open-store.ts';
import { forgetPassword } from './forget-password.ts';

export interface ListenAddress {
  host: string;
  port: number;
}

export interface Config {
  data: string;
  listen: ListenAddress;
  public_listen: ListenAddress | null;
  /** Null: the applied state decides where the boot listener answers. */
  boot_listen: ListenAddress | null;
  /** Null: the applied state decides where the offline depot answers. */
  depot_listen: ListenAddress | null;
  base_url: string;
  admin_password: string | null;
  host: { kind: HostKind; namespace: string | null };
  tls: { cert: string; key: string } | null;
  log_level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  hostname: string;
}

type Environment = Record<string, string | undefined>;

/** @throws StartFault naming the variable, its fault and a right value. */
export function readConfig(environment: Environment = process.env): Config {
  const text = (name: string) => environment[`GROUNDCREW_${name}`]?.trim() || null;
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('GROUNDCREW_') && !KNOWN.has(name.slice(11)),
  );
  if (unknown.length > 0)
    throw new StartFault(
      `${unknown[0]} is not a setting of this program. Known: ${[...KNOWN].map((n) => `GROUNDCREW_${n}`).join(', ')}.`,
    );
  preferDriver(text('SQLITE'));
  return {
    data: resolve(text('DATA') ?? './data'),
    listen: address('LISTEN', text('LISTEN') ?? '127.0.0.1:8080'),
    public_listen: text('PUBLIC_LISTEN') ? address('PUBLIC_LISTEN', text('PUBLIC_LISTEN')!) : null,
    boot_listen: text('BOOT_LISTEN') ? address('BOOT_LISTEN', text('BOOT_LISTEN')!) : null,
    depot_listen: text('DEPOT_LISTEN') ? address('DEPOT_LISTEN', text('DEPOT_LISTEN')!) : null,
    base_url: baseUrl(text('BASE_URL')),
    admin_password: text('ADMIN_PASSWORD'),
    host: host(text('HOST') ?? 'rehearsal'),
    tls: tls(text('TLS_CERT'), text('TLS_KEY')),
    log_level: logLevel(text('LOG_LEVEL') ?? 'INFO'),
    hostname: systemHostname(),
  };
}

/** To be called once the settings were read: what else happens in this process finds no password. */
export const forgetAdminPassword = (): void => forgetPassword(process.env);

const KNOWN = new Set([
  'DATA',
  'LISTEN',
  'PUBLIC_LISTEN',
  'BOOT_LISTEN',
  'DEPOT_LISTEN',
  'BASE_URL',
  'ADMIN_PASSWORD',
  'HOST',
  'TLS_CERT',
  'TLS_KEY',
  'LOG_LEVEL',
  'SQLITE',
]);

/** `127.0.0.1:8080`, `[::1]:8080`. */
function address(name: string, value: string): ListenAddress {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):([0-9]{1,5})$/.exec(value);
  const host = match?.[1] ?? match?.[2] ?? '';
  const port = Number(match?.[3]);
  if (isIP(host) === 0 || port > 65535) {
    throw new StartFault(
      `GROUNDCREW_${name} is ${value}; expected address:port, such as 127.0.0.1:8080 or [::1]:8080.`,
    );
  }
  return { host, port };
}

function baseUrl(value: string | null): string {
  if (value === null) return '';
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new StartFault(`GROUNDCREW_BASE_URL is ${value}; expected an origin, such as https://gc01.lab.example.`);
  }
  return url.origin;
}

function host(value: string): Config['host'] {
  if (value === 'rehearsal' || value === 'system') return { kind: value, namespace: null };
  const name = /^namespace:([A-Za-z0-9_-]{1,64})$/.exec(value)?.[1];
  if (name) return { kind: 'namespace', namespace: name };
  throw new StartFault(`GROUNDCREW_HOST is ${value}; expected rehearsal, namespace:<name> or system.`);
}

function tls(cert: string | null, key: string | null): Config['tls'] {
  if (cert && key) return { cert: resolve(cert), key: resolve(key) };
  if (cert || key)
    throw new StartFault('GROUNDCREW_TLS_CERT and GROUNDCREW_TLS_KEY belong together: set both or none.');
  return null;
}

function logLevel(value: string): Config['log_level'] {
  const level = value.toUpperCase();
  if (level === 'DEBUG' || level === 'INFO' || level === 'WARN' || level === 'ERROR') return level;
  throw new StartFault(`GROUNDCREW_LOG_LEVEL is ${value}; expected debug, info, warn or error.`);
}
