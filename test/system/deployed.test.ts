// A handler bundle by itself, as a gateway would call it: no runtime around it, services from the environment.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

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
