// A handler bundle by itself, as a gateway would call it: no runtime around it, services from the environment.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../..');
const data = mkdtempSync(join(tmpdir(), 'groundcrew-deployed-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

/** Calls `handler` of a bundle in a process of its own with a gateway event; answers what it answered. */
function invoke(bundle: string, event: object): { statusCode: number; headers: Record<string, string>; body: string } {
  const script = `const { handler } = await import(${JSON.stringify(join(ROOT, 'dist/handlers', bundle))});
    process.stdout.write('answer ' + JSON.stringify(await handler(JSON.parse(process.argv[1]))) + '\\n'); process.exit(0)`;
  const env = { ...process.env, GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' };
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, JSON.stringify(event)], {
    encoding: 'utf8',
    env,
  });
  return JSON.parse(/^answer (.*)$/m.exec(output)![1]!);
}

const event = (method: string, path: string, more: object = {}) => ({
  version: '2.0',
  routeKey: `${method} ${path}`,
  rawPath: path,
  rawQueryString: '',
  headers: { host: 'api.example' },
  requestContext: {
    http: { method, path, sourceIp: '192.0.2.1', protocol: 'HTTP/1.1', userAgent: '' },
    requestId: 'x',
  },
  isBase64Encoded: false,
  ...more,
});

test('answers without any runtime around it', () => {
  const health = invoke('service/get-health.js', event('GET', '/healthz'));
  expect(health.statusCode).toBe(200);
});

test('refuses as it does on the appliance', () => {
  const answer = invoke('jobs/list-jobs.js', event('GET', '/api/v1/jobs'));
  expect(answer.statusCode).toBe(401);
  expect(JSON.parse(answer.body)).toMatchObject({
    error_code: 'credentials_missing',
    type: 'https://api.example/problems/unauthenticated',
  });
  expect(answer.headers['x-request-id']).toBe(JSON.parse(answer.body).request_id);
});

/** The files that a bundle loads before its first answer, itself included: file → text. */
function loadedBy(file: string, loaded = new Map<string, string>()): typeof loaded {
  if (loaded.has(file)) return loaded;
  const text = readFileSync(file, 'utf8');
  loaded.set(file, text);
  for (const [, path] of text.matchAll(/(?:^|[;}\n])\s*(?:im|ex)port\s*(?:[^"'();]*?from)?\s*["'](\.[^"']+)["']/g))
    loadedBy(resolve(dirname(file), path!), loaded);
  return loaded;
}

describe('what a bundle carries', () => {
  const bundles = globSync('dist/handlers/**/*.js', { cwd: ROOT }).filter((file) => !file.includes('/chunks/'));
  const sizes = bundles.map((file): [string, number] => {
    const texts = [...loadedBy(join(ROOT, file)).values()];
    return [file.slice('dist/handlers/'.length), texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)];
  });

  test('is at most 250 kB, but where every unit or every kind of job is known, or an OVA is read', () => {
    const knowsAll =
      /^apply\/|legacy-apply|^jobs\/(?:cancel|continue)-job|^jobs\/change-jobs-form|^deployment\/|^remote-depot\//;
    // These look through all names, or keep a reservation of DHCP beside a host; files of hosts have what they install as well, and
    // files of interfaces what follows their addresses.
    const more =
      /^(?:names\/check-generated-fqdns|interfaces\/(?:change-vlans-form|import-(?:interfaces|vlans)(?:-form)?)|network-boot\/(?:(?:create|update|delete)-esxi-host|(?:download|import|change)-esxi-hosts)(?:-form)?)\.js$/;
    expect(sizes.length).toBeGreaterThan(300);
    expect(sizes.filter(([file, size]) => size > 250_000 && !knowsAll.test(file) && !more.test(file))).toEqual([]);
    expect(sizes.filter(([file, size]) => size > 280_000 && more.test(file))).toEqual([]);
    expect(sizes.map(([, size]) => size).sort((a, b) => a - b)[sizes.length >> 1]).toBeLessThan(200_000);
  });

  test('can be loaded', () => {
    const script = `for (const file of JSON.parse(process.argv[1])) {
      const { handler } = await import(file);
      if (typeof handler !== 'function') throw new Error(file);
    }
    process.exit(0)`;
    const files = JSON.stringify(bundles.map((file) => join(ROOT, file)));
    execFileSync(process.execPath, ['--input-type=module', '-e', script, files], {
      env: { ...process.env, GROUNDCREW_DATA: data },
    });
  });

  test.each([
    ['lambda-api', 'RouteError'],
    ['openapi3-ts', 'isValidOpenApiVersion'],
    ['@peculiar/x509', 'X509CertificateGenerator'],
    ['a migration', 'schema_migration'],
  ])('is not %s, which no operation alone needs at once', (_package, sign) => {
    const programs = globSync('dist/{*,chunks/*}.js', { cwd: ROOT });
    expect(programs.some((file) => readFileSync(join(ROOT, file), 'utf8').includes(sign))).toBe(true);
    const carrying = bundles.filter((file) =>
      [...loadedBy(join(ROOT, file)).values()].some((text) => text.includes(sign)),
    );
    expect(carrying).toEqual([]);
  });
});
