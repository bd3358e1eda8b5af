// The API reference in a real browser below the strict content security policy: it renders the operations, breaks no rule of the
// policy, and asks nobody but its own server.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { buildVendor } from '../../build/vendor.ts';
import type { DocumentTheme } from '../../pages/documents/api-bar.tsx';
import { ApiReferenceDocument } from '../../pages/documents/reference.tsx';
import { startBrowser } from '../setup/browser.ts';

const policy =
  "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'; img-src 'self' data:";

const problem = {
  description: 'A value was refused.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};
const zoneAnswer = { 'application/json': { schema: { $ref: '#/components/schemas/Zone' } } };

const specification = {
  openapi: '3.1.0',
  info: { title: 'Sample API', version: '1.2.3', description: 'Two zones.\n\n| a | b |\n|---|---|\n| 1 | `2` |' },
  servers: [{ url: '/' }],
  tags: [{ name: 'DNS', description: 'Zones and their records.' }],
  security: [{ bearer: [] }],
  paths: {
    '/api/v1/dns/zones': {
      get: {
        operationId: 'listZones',
        tags: ['DNS'],
        summary: 'List zones',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1000 } }],
        responses: { 200: { description: 'Zones.', content: zoneAnswer }, 422: problem },
      },
      post: {
        operationId: 'createZone',
        tags: ['DNS'],
        summary: 'Create a zone',
        requestBody: { required: true, content: zoneAnswer },
        responses: { 201: { description: 'Created.', content: zoneAnswer }, 422: problem },
      },
    },
    '/api/v1/dns/zones/{zone_id}': {
      delete: {
        operationId: 'deleteZone',
        tags: ['DNS'],
        summary: 'Delete a zone',
        parameters: [{ name: 'zone_id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 204: { description: 'Deleted.' }, 422: problem },
      },
    },
  },
  components: {
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Zone: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', examples: ['lab.example'] },
          description: { type: ['string', 'null'] },
          enabled: { type: 'boolean', default: true },
        },
      },
      Problem: {
        type: 'object',
        properties: {
          type: { type: 'string', format: 'uri' },
          status: { type: 'integer' },
          errors: {
            type: 'array',
            items: { type: 'object', properties: { pointer: { type: 'string' }, detail: { type: 'string' } } },
          },
        },
      },
    },
  },
};

jest.setTimeout(300_000);

const summaries = ['List zones', 'Create a zone', 'Delete a zone'];

let folder: string;
let server: Server;
let browser: Browser;
let origin: string;
const documents = new Map<string, (theme: DocumentTheme) => string>();
const authorizations: (string | undefined)[] = [];

const mediaTypes: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url!, origin);
  const send = (type: string, body: string | Buffer) =>
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body);
  const view = documents.get(pathname);
  if (view) {
    const theme = (searchParams.get('theme') ?? 'system') as DocumentTheme;
    send('text/html; charset=utf-8', `<!doctype html>${view(theme)}`);
  } else if (pathname === '/openapi.json') {
    send('application/json', JSON.stringify(specification));
  } else if (pathname === '/api/v1/dns/zones') {
    authorizations.push(request.headers.authorization);
    send('application/json', '{"name":"lab.example"}');
  } else if (pathname.startsWith('/assets/')) {
    const file = pathname.slice('/assets/'.length);
    send(mediaTypes[file.split('.').at(-1)!]!, await readFile(join(folder, file)));
  } else {
    response.writeHead(404, { 'content-security-policy': policy }).end();
  }
}

/** A page that notes what must not happen. Violations come from the browser's own event, requests from its network layer. */
async function open(path: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const seen = { foreign: [] as string[], errors: [] as string[] };
  page.on('request', (request) => {
    const { protocol } = new URL(request.url());
    if (!request.url().startsWith(origin) && protocol !== 'data:') seen.foreign.push(request.url());
  });
  page.on('pageerror', (error) => seen.errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') seen.errors.push(message.text());
  });
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(globalThis, { violations });
    addEventListener('securitypolicyviolation', (event) => {
      violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  await page.goto(origin + path);
  return { page, seen, context };
}

const violationsOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations);

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-documents-'));
  const { reference } = await buildVendor(folder);
  const hosted = <Assets extends Record<string, string>>(assets: Assets): Assets =>
    Object.fromEntries(Object.entries(assets).map(([name, file]) => [name, `/assets/${file}`])) as Assets;
  const specUrl = '/openapi.json';
  documents.set('/api/redoc', (theme) =>
    render(h(ApiReferenceDocument, { assets: hosted(reference), specUrl, theme })),
  );
  server = createServer((request, response) => {
    respond(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await startBrowser();
}, 300_000);

afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

describe.each(['/api/redoc'])('%s below the strict policy', (path) => {
  test.each(['light', 'dark'] as const)('renders every operation in %s, asks nobody else', async (colorScheme) => {
    const { page, seen, context } = await open(path, { colorScheme });
    for (const summary of summaries) await page.getByText(summary).last().waitFor();
    await page.getByText('Sample API').first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('style').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    expect(seen).toEqual({ foreign: [], errors: [] });
    expect(await background(page)).not.toBe(colorScheme === 'dark' ? 'rgb(255, 255, 255)' : 'rgb(25, 26, 24)');
    await context.close();
  });

  test('the chosen theme wins over the browser', async () => {
    const { page, context } = await open(`${path}?theme=dark`, { colorScheme: 'light' });
    await page.getByText('List zones').last().waitFor();
    expect(await page.locator('html.dark-mode').count()).toBe(1);
    await context.close();
  });
});

test('the reference shows the 422 body, and its search finds an operation', async () => {
  const { page, seen, context } = await open('/api/redoc');
  await page.getByRole('button', { name: /^422/ }).first().click();
  await page.getByText('application/problem+json').first().waitFor();
  await page.getByRole('button', { name: /^post/ }).first().click();
  await page.getByPlaceholder(/search/i).fill('delete');
  await page.locator('[data-role="search:results"]').getByText('Delete a zone').first().waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(seen).toEqual({ foreign: [], errors: [] });
  await context.close();
});
