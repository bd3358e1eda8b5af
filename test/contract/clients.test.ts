// Clients that others generate from the document: they compile strictly, refuse what the document does not have, and every
// operation answers them as the document says.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { OpenAPIObject, ResponseObject } from 'openapi3-ts/oas31';
import { operations } from '../../runtime/generated/operations.ts';
import { House } from '../setup/house.ts';
import type { Given } from './clients/bodies-of.ts';
import { MISTAKES, operationsOf, programs, REFUSED } from './clients/programs.ts';
import { SCENARIOS } from './scenarios/all.ts';
import { newScene, type Scene, scenarioOf } from './scenarios/scenario.ts';

const HERE = join(import.meta.dirname, 'clients');
const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

const DOCUMENT = join(ROOT, 'build/openapi/openapi.json');
const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as OpenAPIObject;
const called = operationsOf(document);
const scenarios = Object.fromEntries(
  operations.map(({ spec }) => [spec.id, { spec, scenario: scenarioOf(SCENARIOS, spec) }]),
);

/** What both clients answer, and a generated program's way to call one operation. */
interface Answered {
  data?: unknown;
  error?: unknown;
  response?: Response;
}
type Calls = Record<string, (given: Given) => Promise<Answered>>;
interface Program {
  calls(options: { baseUrl: string; token: string; fetch(request: Request): Promise<Response> }): Calls;
}

const STRICT = {
  ...{ strict: true, noUncheckedIndexedAccess: true, noUnusedLocals: true, noImplicitOverride: true },
  ...{ target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], types: [] },
  ...{ module: 'esnext', moduleResolution: 'bundler', verbatimModuleSyntax: true },
  ...{ allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true },
};
/** What is compiled for each client. What @hey-api ships to run with does not compile with exact optional members. */
const PROJECTS = {
  fetch: {
    compilerOptions: { ...STRICT, exactOptionalPropertyTypes: true },
    files: ['fetch-calls.ts', 'fetch-mistakes.ts'],
  },
  sdk: { compilerOptions: STRICT, files: ['sdk-calls.ts', 'sdk-mistakes.ts'] },
};
type Client = keyof typeof PROJECTS;
const CLIENTS = Object.keys(PROJECTS) as Client[];

let folder: string;
/** `file:line` of what the compiler refuses, with its words. */
const refused = {} as Record<Client, Map<string, string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groundcrew-clients-'));
  await run(process.execPath, [join(HERE, 'generate.ts'), DOCUMENT, folder]);
  const queries = Object.fromEntries(Object.entries(SCENARIOS).map(([id, { query }]) => [id, query]));
  for (const [name, text] of Object.entries({ ...programs(document, queries), ...MISTAKES })) {
    await writeFile(join(folder, name), text);
  }
  await copyFile(join(HERE, 'bodies.ts'), join(folder, 'bodies.ts'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await Promise.all(CLIENTS.map(compile));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function compile(client: Client): Promise<void> {
  const project = join(folder, `tsconfig.${client}.json`);
  await writeFile(project, JSON.stringify(PROJECTS[client]));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const said = await run(process.execPath, [tsc, '--pretty', 'false', '-p', project], {
    cwd: folder,
    maxBuffer: 64 << 20,
  }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
  const places = said.matchAll(/^(\S+?)\((\d+),\d+\): error (.*)$/gm);
  refused[client] = new Map([...places].map(([, file, line, what]) => [`${file}:${line}`, what!]));
}

test('no operation is left out: each of the document has a call below, and there are no fewer than there were', () => {
  const api = operations.filter(({ spec }) => spec.plane === 'api' && !spec.legacy).map(({ spec }) => spec.id);
  expect(called.map(({ id }) => id).sort()).toEqual(api.sort());
  expect(called.length).toBeGreaterThanOrEqual(175);
});

describe.each(CLIENTS)('the %s client', (client) => {
  test('compiles with strict types, and refuses each mistake at its line and nothing else', () => {
    const file = `${client}-mistakes.ts`;
    const marked = MISTAKES[file]!.split('\n').flatMap((line, at) => {
      const [code, reason] = line.split(REFUSED);
      return reason === undefined ? [] : [{ place: `${file}:${at + 1}`, code, reason }];
    });
    expect(marked.length).toBeGreaterThanOrEqual(10);
    const places = marked.map(({ place }) => place);
    expect([...refused[client]].filter(([place]) => !places.includes(place))).toEqual([]);
    expect(marked.filter(({ place, reason }) => !refused[client].get(place)?.includes(reason))).toEqual([]);
  });
});

describe.each(CLIENTS)('called through the %s client', (client) => {
  let house: House;
  let scene: Scene;
  let program: Program;
  /** The answer as it came over the wire. */
  let wire: { request: Request; response: Response; text: string };

  beforeAll(async () => {
    house = await House.open();
    scene = newScene(house, await house.actor('admin'));
    program = (await import(join(folder, `${client}-calls.ts`))) as Program;
  });
  // Nobody may look at so many servers in a row as the scenarios do together.
  beforeEach(async () => {
    scene = newScene(house, await house.actor('admin'), scene);
  });
  afterAll(() => house.close());

  async function sent(request: Request): Promise<Response> {
    // A confirmation proves nothing over a connection that was open before the change.
    request.headers.set('connection', 'close');
    const response = await fetch(request);
    wire = { request, response, text: await response.clone().text() };
    return response;
  }

  test.each(called.map(({ id, operation }) => [id, operation] as const))(
    '%s succeeds as the document says',
    async (id, operation) => {
      const { spec, scenario } = scenarios[id]!;
      const given = (await scenario!.given?.(scene)) ?? {};
      const calls = program.calls({ baseUrl: house.origin, token: scene.admin.token, fetch: sent });
      const { data, error, response } = await calls[id]!(given);
      await scenario!.after?.(scene, given);
      // Every operation succeeds: nothing is excused.
      const status = scenario!.status ?? Number(Object.keys(spec.answers)[0]);
      expect({ status: response?.status, error }).toEqual({ status, error: undefined });
      const { request, text } = wire;
      const headers = Object.fromEntries(wire.response.headers);
      const type = headers['content-type']?.split(';')[0];
      const { content = {} } = operation.responses![status] as ResponseObject;
      expect(type === undefined ? [] : [type]).toEqual(Object.keys(content));
      const body: unknown = type === 'application/json' ? JSON.parse(text) : text || undefined;
      if (type !== undefined) expect(data).toEqual(body);
      if (type === undefined || type === 'application/json') house.check.answered(id, status, body);
      const { pathname, search } = new URL(request.url);
      expect(house.check.operationAt(request.method, pathname)?.spec.id).toBe(id);
      const event = house.event(request.method, `${pathname}${search}`);
      house.check.heard(event, { statusCode: status, headers, body: text });
      house.check.settle();
    },
  );
});
