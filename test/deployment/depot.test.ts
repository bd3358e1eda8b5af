// The offline depot beside a real nginx that serves the same tree: the same answers, and no byte of anything else.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ensureServerCertificate } from '../../shared/platform/certificate-authority/issue.ts';
import { CERTIFICATE_PURPOSE } from '../../shared/services/offline-depot/manifest.ts';
import { DEPOT_PASSWORD, put, type ReadyDepot, readyDepot } from '../setup/depot.ts';
import { House } from '../setup/house.ts';
import { until } from '../setup/until.ts';
import { type Answer, ask, basic } from './depot-client.ts';
import { type Nginx, startNginx } from './depot-nginx.ts';

let house: House;
let ready: ReadyDepot;
let nginx: Nginx;
let ours: number;
const logged: string[] = [];

const CATALOG = '/PROD/metadata/productVersionCatalog/v1/productVersionCatalog.json';
const OVA = '/PROD/COMP/SDDC_MANAGER_VCF/VCF-SDDC-Manager-Appliance-9.0.0.0.24703748.ova';
const OVA_BYTES = 3_000_000;

beforeAll(async () => {
  house = await House.open({ depot: true, log: (line) => logged.push(line) });
  ready = await readyDepot(house);
  ours = ready.endpoint.port;
  const { store } = ready;
  put(store, OVA, Buffer.from(Array.from({ length: OVA_BYTES }, (_, at) => (at * 31 + (at >> 8)) & 255)));
  put(store, '/PROD/metadata/manifest/v1/vcfManifest.json', `${'{"a": 1}'.repeat(500)}\n`);
  put(store, '/PROD/vsan/hcl/all.json', '{"all": []}\n');
  put(store, '/PROD/vsan/hcl/lastupdatedtime.json', '{"timestamp": 1}\n');
  put(store, '/umds-patch-store/hostupdate/index.xml', '<a/>\n');
  put(store, '/PROD/COMP/ESX_HOST/empty.bin', '');
  put(store, '/PROD/COMP/ESX_HOST/with space & ümläut.txt', 'named\n');
  mkdirSync(join(store, 'PROD/COMP/NSX_T_MANAGER'), { recursive: true });
  const { cert_pem, key_pem } = await ensureServerCertificate(house.services, {
    purpose: CERTIFICATE_PURPOSE,
    names: ['depot.lab.example', '127.0.0.1'],
  });
  nginx = await startNginx({
    folder: join(house.data, 'nginx'),
    store,
    cert_pem,
    key_pem,
    username: 'depot',
    password: DEPOT_PASSWORD,
  });
}, 300_000);

afterAll(async () => {
  await nginx?.stop();
  await house?.close();
});

const LOGIN = basic(`depot:${DEPOT_PASSWORD}`);
const at = (port: number) => ({ port, ca_pem: ready.endpoint.ca_pem });
/** What a client acts on. Tags are each server's own; that they are there and hold is looked at below. */
const TELLING = [
  'content-length',
  'content-range',
  'content-type',
  'last-modified',
  'accept-ranges',
  'www-authenticate',
];

/** Headers of answers without a file say nothing about one: an error page has a length and a type of its own. */
function telling({ status, headers }: Answer): Record<string, string> {
  const found = TELLING.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)!] as const] : []));
  const about = Object.fromEntries(found);
  if (status === 200 || status === 206) return about;
  const { 'content-range': range, 'www-authenticate': challenge } = about;
  return { ...(range && { 'content-range': range }), ...(challenge && { 'www-authenticate': challenge }) };
}

/** Whoever sends several parts draws twenty digits between them. */
function withoutBoundary(answer: Answer): Answer {
  const [, digits] = /^multipart\/byteranges; boundary=(\d{20})$/.exec(answer.headers.get('content-type') ?? '') ?? [];
  if (digits === undefined) return answer;
  const headers = new Map(answer.headers).set('content-type', 'multipart/byteranges');
  const body = Buffer.from(answer.body.toString('latin1').replaceAll(`--${digits}`, '--boundary'), 'latin1');
  return { ...answer, headers, body };
}

const parts = (range: string): Record<string, string> => ({ ...LOGIN, range: `bytes=${range}` });
const manyParts = (count: number): Record<string, string> =>
  parts(Array.from({ length: count }, (_, at) => `${at * 1000}-${at * 1000 + at}`).join());

type Row = [what: string, method: string, path: string, headers?: Record<string, string>];

/** In the headers: {etag} and {modified} of the file, as the asked server told them. */
const SAME: Row[] = [
  ['metadata', 'GET', CATALOG, LOGIN],
  ['metadata, headers only', 'HEAD', CATALOG, LOGIN],
  ['metadata with a query', 'GET', `${CATALOG}?x=1`, LOGIN],
  ['no login', 'GET', CATALOG],
  ['no login, headers only', 'HEAD', CATALOG],
  ['wrong password', 'GET', CATALOG, basic('depot:wrong')],
  ['wrong user', 'GET', CATALOG, basic(`other:${DEPOT_PASSWORD}`)],
  ['login that is none', 'GET', CATALOG, { authorization: 'Basic %%%' }],
  ['bearer token', 'GET', CATALOG, { authorization: 'Bearer abc' }],
  ['no login, no such file', 'GET', '/PROD/COMP/none.bin'],
  ['no such file', 'GET', '/PROD/COMP/none.bin', LOGIN],
  ['no such tree', 'GET', '/other/x'],
  ['root', 'GET', '/none'],
  ['vSAN, open', 'GET', '/PROD/vsan/hcl/all.json'],
  ['vSAN, open, headers only', 'HEAD', '/PROD/vsan/hcl/lastupdatedtime.json'],
  ['vSAN beside it is not open', 'GET', '/PROD/vsan/other.json'],
  ['alias of the time', 'GET', '/products/v1/bundles/lastupdatedtime'],
  ['alias of all', 'GET', '/products/v1/bundles/all'],
  ['alias, headers only', 'HEAD', '/products/v1/bundles/all'],
  ['no alias', 'GET', '/products/v1/bundles/none'],
  ['UMDS, open', 'GET', '/umds-patch-store/hostupdate/index.xml'],
  ['double slashes', 'GET', '//PROD//metadata//productVersionCatalog/v1/productVersionCatalog.json', LOGIN],
  ['dot segments', 'GET', `/PROD/COMP/../metadata/./productVersionCatalog/v1/productVersionCatalog.json`, LOGIN],
  ['dot segments without login', 'GET', `/umds-patch-store/../PROD/metadata/manifest/v1/vcfManifest.json`],
  ['dot segments from the open tree', 'GET', '/PROD/vsan/hcl/../../metadata/manifest/v1/vcfManifest.json'],
  ['encoded name', 'GET', '/PROD/COMP/ESX_HOST/with%20space%20%26%20%C3%BCml%C3%A4ut.txt', LOGIN],
  ['above the root', 'GET', '/../etc/passwd'],
  ['above the root, encoded', 'GET', '/%2e%2e/%2e%2e/etc/passwd'],
  ['escape that is none', 'GET', '/PROD/%zz', LOGIN],
  ['NUL', 'GET', '/PROD/COMP/x%00.json', LOGIN],
  ['absolute form', 'GET', `https://depot.lab.example${CATALOG}`, LOGIN],
  ['folder', 'GET', '/PROD/COMP/', LOGIN],
  ['folder, empty', 'GET', '/PROD/COMP/NSX_T_MANAGER/', LOGIN],
  ['folder that is not there', 'GET', '/PROD/COMP/NONE/', LOGIN],
  ['file as a folder', 'GET', `${CATALOG}/`, LOGIN],
  ['below a file', 'GET', `${CATALOG}/x`, LOGIN],
  ['empty file', 'GET', '/PROD/COMP/ESX_HOST/empty.bin', LOGIN],
  ['empty file, a part', 'GET', '/PROD/COMP/ESX_HOST/empty.bin', { ...LOGIN, range: 'bytes=0-1' }],
  ['OVA', 'GET', OVA, LOGIN],
  ['OVA, headers only', 'HEAD', OVA, LOGIN],
  ['no compression', 'GET', '/PROD/metadata/manifest/v1/vcfManifest.json', { ...LOGIN, 'accept-encoding': 'gzip, br' }],
  ['part', 'GET', OVA, { ...LOGIN, range: 'bytes=10-19' }],
  ['part, headers only', 'HEAD', OVA, { ...LOGIN, range: 'bytes=10-19' }],
  ['first byte', 'GET', OVA, { ...LOGIN, range: 'bytes=0-0' }],
  ['part to the end', 'GET', OVA, { ...LOGIN, range: 'bytes=2999990-' }],
  ['last bytes', 'GET', OVA, { ...LOGIN, range: 'bytes=-7' }],
  ['more last bytes than there are', 'GET', OVA, { ...LOGIN, range: 'bytes=-9999999' }],
  ['part beyond the end is cut', 'GET', OVA, { ...LOGIN, range: 'bytes=2999990-9999999' }],
  ['past the end', 'GET', OVA, { ...LOGIN, range: 'bytes=3000000-' }],
  ['far past the end', 'GET', OVA, { ...LOGIN, range: 'bytes=99999999999-' }],
  ['no last bytes', 'GET', OVA, { ...LOGIN, range: 'bytes=-0' }],
  ['backwards', 'GET', OVA, { ...LOGIN, range: 'bytes=20-10' }],
  ['part that is none', 'GET', OVA, { ...LOGIN, range: 'bytes=abc' }],
  ['part without numbers', 'GET', OVA, { ...LOGIN, range: 'bytes=-' }],
  ['other units', 'GET', OVA, { ...LOGIN, range: 'lines=1-2' }],
  ['one good part of two', 'GET', OVA, { ...LOGIN, range: 'bytes=5-9,99999999-' }],
  ['two parts', 'GET', OVA, parts('0-1,5-6')],
  ['two parts, headers only', 'HEAD', OVA, parts('0-1,5-6')],
  ['two parts of metadata', 'GET', '/PROD/metadata/manifest/v1/vcfManifest.json', parts('0-1,5-6')],
  ['three parts in no order', 'GET', OVA, parts('2000000-2999998,7-7, 1000-400999')],
  ['parts that overlap', 'GET', OVA, parts('0-99,50-149,50-149')],
  ['a part and the last bytes', 'GET', OVA, parts('0-9,-7')],
  ['a part and one that is cut at the end', 'GET', OVA, parts('0-9,2999990-9999999')],
  ['two good parts of three', 'GET', OVA, parts('0-9,99999999-,20-29')],
  ['no good part of two', 'GET', OVA, parts('3000000-,99999999-')],
  ['parts, one of which is none', 'GET', OVA, parts('0-9,abc')],
  ['parts and an empty one', 'GET', OVA, parts('0-9,')],
  ['parts as long as the file together', 'GET', OVA, parts('1500000-,0-1499999')],
  ['parts longer than the file together', 'GET', OVA, parts('0-,0-0')],
  ['parts of an empty file', 'GET', '/PROD/COMP/ESX_HOST/empty.bin', parts('0-1,5-6')],
  ['as many parts as ours sends', 'GET', OVA, manyParts(16)],
  ['parts of the same', 'GET', OVA, { ...parts('0-1,5-6'), 'if-range': '{etag}' }],
  ['parts of another', 'GET', OVA, { ...parts('0-1,5-6'), 'if-range': '"stale"' }],
  ['part, no login', 'GET', OVA, { range: 'bytes=10-19' }],
  ['known by its tag', 'GET', CATALOG, { ...LOGIN, 'if-none-match': '{etag}' }],
  ['known by its tag, headers only', 'HEAD', CATALOG, { ...LOGIN, 'if-none-match': '{etag}' }],
  ['known by a weak tag', 'GET', CATALOG, { ...LOGIN, 'if-none-match': 'W/{etag}' }],
  ['known by one of several tags', 'GET', CATALOG, { ...LOGIN, 'if-none-match': '"a", {etag}, "b"' }],
  ['known by any tag', 'GET', CATALOG, { ...LOGIN, 'if-none-match': '*' }],
  ['another tag', 'GET', CATALOG, { ...LOGIN, 'if-none-match': '"a"' }],
  ['known by its date', 'GET', CATALOG, { ...LOGIN, 'if-modified-since': '{modified}' }],
  ['another date', 'GET', CATALOG, { ...LOGIN, 'if-modified-since': 'Sat, 01 Jan 2022 00:00:00 GMT' }],
  ['later date', 'GET', CATALOG, { ...LOGIN, 'if-modified-since': 'Fri, 01 Jan 2038 00:00:00 GMT' }],
  ['date that is none', 'GET', CATALOG, { ...LOGIN, 'if-modified-since': 'yesterday' }],
  ['the same or nothing', 'GET', CATALOG, { ...LOGIN, 'if-match': '{etag}' }],
  ['another or nothing', 'GET', CATALOG, { ...LOGIN, 'if-match': '"a"' }],
  ['unmodified since', 'GET', CATALOG, { ...LOGIN, 'if-unmodified-since': '{modified}' }],
  ['modified since', 'GET', CATALOG, { ...LOGIN, 'if-unmodified-since': 'Sat, 01 Jan 2022 00:00:00 GMT' }],
  ['part of the same', 'GET', OVA, { ...LOGIN, range: 'bytes=5-9', 'if-range': '{etag}' }],
  ['part of another', 'GET', OVA, { ...LOGIN, range: 'bytes=5-9', 'if-range': '"stale"' }],
  ['part of the same, by date', 'GET', OVA, { ...LOGIN, range: 'bytes=5-9', 'if-range': '{modified}' }],
  [
    'part of another, by date',
    'GET',
    OVA,
    { ...LOGIN, range: 'bytes=5-9', 'if-range': 'Sat, 01 Jan 2022 00:00:00 GMT' },
  ],
  ['POST', 'POST', CATALOG, { ...LOGIN, 'content-length': '0' }],
  ['PUT', 'PUT', CATALOG, { ...LOGIN, 'content-length': '0' }],
  ['DELETE', 'DELETE', CATALOG, LOGIN],
  ['OPTIONS', 'OPTIONS', CATALOG, LOGIN],
  ['POST without login', 'POST', CATALOG, { 'content-length': '0' }],
];

async function filled(port: number, path: string, headers: Record<string, string>): Promise<Record<string, string>> {
  if (!Object.values(headers).some((value) => value.includes('{'))) return headers;
  const { headers: told } = await ask(at(port), 'HEAD', path, LOGIN);
  const fill = (value: string) =>
    value.replace('{etag}', told.get('etag')!).replace('{modified}', told.get('last-modified')!);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
}

describe('the same answers as nginx', () => {
  test.each(SAME)('%s', async (_what, method, path, headers = {}) => {
    const [mine, theirs] = await Promise.all(
      [ours, nginx.port].map(async (port) =>
        withoutBoundary(await ask(at(port), method, path, await filled(port, path, headers))),
      ),
    );
    expect([mine!.status, telling(mine!)]).toEqual([theirs!.status, telling(theirs!)]);
    if (theirs!.status < 300) expect(mine!.body.equals(theirs!.body)).toBe(true);
    if (method === 'HEAD') expect(mine!.body.length).toBe(0);
  });
});

test('several parts: a boundary of its own for each answer, and every byte in the log', async () => {
  const { range, ...login } = parts('0-1,-400000,5-6');
  const answers = [1, 2].map(() => ask(at(ours), 'GET', OVA, { ...login, range: range! }));
  const [one, two] = await Promise.all(answers);
  expect(one!.headers.get('content-type')).not.toBe(two!.headers.get('content-type'));
  const told = () => logged.filter((line) => line.includes('depot request') && line.includes(range!));
  await until(() => told().length >= 2);
  const length = Number(one!.headers.get('content-length'));
  expect([one!, two!].map(({ body }) => body.length)).toEqual([length, length]);
  expect(told().map((line) => JSON.parse(line).extra.bytes)).toEqual([length, length]);
});

/** On purpose: no more parts than a client of a depot needs, no redirect, and nothing hidden. */
const OTHERWISE: [what: string, path: string, headers: Record<string, string>, ours: number, theirs: number][] = [
  ['more parts than 16 are answered with the whole', OVA, manyParts(17), 200, 206],
  ['a folder without its slash leads nowhere', '/PROD/COMP', LOGIN, 403, 301],
  ['hidden files are not there', '/PROD/COMP/.hidden', LOGIN, 404, 200],
];

test.each(OTHERWISE)('otherwise than nginx: %s', async (_what, path, headers, mine, theirs) => {
  put(ready.store, '/PROD/COMP/.hidden', 'x');
  expect((await ask(at(ours), 'GET', path, headers)).status).toBe(mine);
  expect((await ask(at(nginx.port), 'GET', path, headers)).status).toBe(theirs);
});
