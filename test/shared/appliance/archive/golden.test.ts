// Archives that earlier schemas wrote, kept for ever: each restores to the documents that it was made of. They lie in
// test/fixtures/archives, two a schema: one with all secrets, under the passphrase below, and one without either.
//
// A migration makes a schema, and a schema gets its two: run this file with GOLDEN=write, which writes those of the schema
// that has none, and note the digests that it names below. What is there is never written again, nor are the documents
// beside it: they are what somebody's copies are. Where a later release says a thing in another way, say so in SINCE.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../../shared/appliance/archive/rows.ts';
import { encryptAge } from '../../../../shared/ground/age/age.ts';
import { canonicalJson } from '../../../../shared/ground/canonical-json.ts';
import { systemEntropy } from '../../../../shared/ground/clock.ts';
import { SCHEMA_VERSION } from '../../../../shared/ground/store/open-store.ts';
import { furnish } from '../../../setup/furnish.ts';
import { House } from '../../../setup/house.ts';
import { ALL, bytesOf, membersOf, restore } from './scene.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/archives');
const PASSPHRASE = 'correct horse battery staple';
/** The first whose release wrote archives. */
const FIRST = 16;
/** Schemas that no release had: two migrations came in one. */
const PASSED = new Set([17, 19, 21, 23, 25, 26, 27, 28, 29, 31, 32, 33, 35, 36, 37]);

/** Of each file: one that was written again is another one. */
const DIGESTS: Readonly<Record<string, string>> = {
  'schema-16.gcarchive.age': 'e72126e2d44d61c4848831b2e97a466fada4c2ff43e071edc4afdf0dfe0682f9',
  'schema-16.json': '76cfe411e21eead4bc6d2cc62648e3a3ab2a21cbf3456a4ccb0da33029700426',
  'schema-16.gcarchive': 'e3f1183bb57737dd099c9da984fbca846fbc3d33d38433f4990a6103583dadf6',
  'schema-16-without-secrets.json': 'd7ffef3150df0e79d8dcf7330f4dd0f0c5b0be68a98773318167550559e9c1b4',
  'schema-18.gcarchive.age': '99cb9e44f7eeaf3ef2cb779af6850a31a96a45f6599b049ff6771d08f8c2b9b1',
  'schema-18.json': '7c3d3d2497a480184c1d094904cdf513d486fe5cb0d27490d0ced40af3ce34c0',
  'schema-18.gcarchive': '4feed75e20ca91ec6f6215a911954da876df9ad14f34d7537b4ccd2afa67083e',
  'schema-18-without-secrets.json': 'fcaebd5e29f6c7136f80106c948fd2ad2de9b89b4e59f7c282505d53f27c4626',
  'schema-20.gcarchive.age': '19c1d5dace0da861cc4331944e25c77042dd8db2fc144696842d2207e7916e67',
  'schema-20.json': 'e68cca315f85830b160a54c1b70ea1ab361dbb0346426c76cff37390c73f54ed',
  'schema-20.gcarchive': 'ccb667a68f426a3d127d703ae4ab7afbfdd768a01b28d46687e1bdada8a12132',
  'schema-20-without-secrets.json': '0bb3791d2b97448408f2a411c13c50088f7e17461f7bbc41916dffe648901c16',
  'schema-22.gcarchive.age': 'f44d06ca13eec80c7eab037189f080c8438f864cba60a9244d96fbc1ed1ff6bc',
  'schema-22.json': '089cd5bae16c8416827f9c5d57b029466fae8c9faddbf371ecbab34c27e3d116',
  'schema-22.gcarchive': 'af80ba5df43380bba58bea7c055a2a017e4bc342248552adbe8824c74c4dfaac',
  'schema-22-without-secrets.json': 'd8ffa2ef9e80abd6b8b7dc09469d8ad6ff99bb99f8d871d00110ec9c954b3864',
  'schema-24.gcarchive.age': '40eda367165927f60938c94486e335d45bbf197d98f217981ce8f44852f76932',
  'schema-24.json': '35b83c56b5ca14705009dc74d2d8f048cd26c25ddbb8eb3670db45381bb426dd',
  'schema-24.gcarchive': 'de513bf39bdd32a792a2cbd11c4ae4907a3dfdccefe4fecfcbeb72149bbb8dd9',
  'schema-24-without-secrets.json': '758c1225d61bb80cb003a43913a0be88e6247395234378bd06f4adadbdf68843',
  'schema-30.gcarchive.age': '549af321ec86045f45936b93dd54d81c26a17ad89d03e1c60349e2cfff534bac',
  'schema-30.json': '69ad549630bcfac252aeb7da4ad7ff460401b13f0a7bd221965a5c6110e70555',
  'schema-30.gcarchive': '387ac99d91367df526c9865951cb4ab592d562e5bfe5d20e7d4c85fe9052ffe9',
  'schema-30-without-secrets.json': 'dccae8d497135cb92bfb458286c29083e05b6bcf55ae0ec1dfb60ef9485fcd41',
  'schema-34.gcarchive.age': 'a0815bee1c5f4494308a06b45f19daf256ed6c69a967fc72edd2b8f4ef61a6fa',
  'schema-34.json': '96e2c18e81112cbfcbcfb1d58faa69a2be96868d152ae8765da4f220a5ff322c',
  'schema-34.gcarchive': '48da9568ed001938daa27ed08c191ebc432787b97a33c3a0813f2a5b6b8aa738',
  'schema-34-without-secrets.json': 'b3f917db55370f66a48631f232bb157b13c20bf8d7a33a0656fa3fd8251c0c4b',
  'schema-38.gcarchive.age': '2e29672aa85f26cf3ad1f1a1b8a49e3157e6804845329f4e5a7370d9b4775b44',
  'schema-38.json': '3d26e800ef92311b35eace6c66a3f1a95b0c11426d67f6f5a827d4d43c51d88c',
  'schema-38.gcarchive': 'f915ea27117af0250dfb886a3ae2be9c064438a09ccd21497440622143b564b1',
  'schema-38-without-secrets.json': 'c14082d6ee30c63531bb38457291cba89d3e4ac15c88277088111634f3d4e62e',
  'schema-39.gcarchive.age': '5ee93644db6dc4632391dff97b3ffa5320a56e0094ad46923107043854f7a5d4',
  'schema-39.json': '371958c4ce16c0b31c5ec3b317f31b647681eba9814945922d40c01538cc6cc7',
  'schema-39.gcarchive': 'a41169b730a9844aa1e9432ff7c564d1eaa7ca82f3202fc36d77ecf571795694',
  'schema-39-without-secrets.json': 'c871fac022b0ff67eb94bf4d6693b7d8e43e26eeffa9dd43271447662a0dd8d8',
  'schema-40.gcarchive.age': '86fcf0fc150fdf431395f9d3409dbc87e98d2b07db39afb007b8421707e12a98',
  'schema-40.json': '7be4269f5cde0d2aa4b90d916336cce01608885afeca5535693bc8f73c9cfb8c',
  'schema-40.gcarchive': '238e835922c4fd7a9e898a8fd4f337559f252861216f5847f0b72e9aeb1caa2d',
  'schema-40-without-secrets.json': 'd4d463ae0d5f46e119e6975f02125eefd5c76a882a915db5cb9beeede9fbe5b2',
};

type Documents = Record<string, unknown>;

/** What is said in another way since the schema of a golden one. */
const SINCE: Readonly<Record<number, (documents: Documents) => Documents>> = {};

const LISTS = [
  'interfaces/physical',
  'vlans',
  'firewall/rules',
  'dns/zones',
  'dns/records?limit=500',
  'dhcp/scopes',
  'dhcp/options',
  'dhcp/reservations',
  'ntp/sources',
  'storage/volumes',
  'storage/datastores',
  'certificate-authority/certificates',
  'certificate-authority/profiles',
  'certificate-authority/requests',
  'private-cloud-services/http-users',
  'network-boot/kickstarts',
  'network-boot/media',
  'network-boot/esxi-hosts',
  'vaults',
];
const SETTINGS = [
  'network',
  'firewall',
  'dns-dhcp',
  'dhcp',
  'ntp',
  'certificate-authority',
  'kms',
  'oidc',
  'private-cloud-services',
  'storage',
  'network-boot',
];

/** Counts its changes, or follows from where and when it is. */
const APART = new Set(['revision', 'updated_at', 'observed', 'size_bytes', 'free_bytes', 'state', 'fault']);

function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([member]) => !APART.has(member));
  return Object.fromEntries(members.map(([member, each]) => [member, lasting(each)]));
}

/** What its API answers, and digests of the secrets that it never tells. */
async function documentsOf(house: House): Promise<Documents> {
  const admin = await house.actor();
  const get = async (path: string) => {
    const { status, body, text } = await house.send('GET', `/api/v1/${path}`, { token: admin.token });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return body;
  };
  const documents: Documents = {};
  for (const path of LISTS) documents[path] = lasting((await get(path)).items);
  for (const unit of SETTINGS) documents[`${unit}/settings`] = lasting(await get(`${unit}/settings`));
  for (const { id } of (await get('vaults')).items) {
    documents[`vaults/${id}`] = lasting((await get(`vaults/${id}/entries`)).items);
  }
  documents.secrets = await secretsOf(house);
  return documents;
}

async function secretsOf(house: House): Promise<Record<string, string>> {
  const members = await membersOf(await bytesOf(house, true));
  const lines = [...members].flatMap(([name, text]) => (name.startsWith('sealed/') ? text.split('\n') : []));
  const rows = lines.filter(Boolean).map((line) => JSON.parse(line) as { id: string; secret?: Json });
  const kept = rows.flatMap(({ id, secret = null }) => (secret === null ? [] : [[id, digest(canonicalJson(secret))]]));
  return Object.fromEntries(kept) as Record<string, string>;
}

const digest = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

interface Golden {
  file: string;
  documents: string;
  sealed: boolean;
}

const goldenOf = (schema: number): Golden[] => [
  { file: `schema-${schema}.gcarchive.age`, documents: `schema-${schema}.json`, sealed: true },
  { file: `schema-${schema}.gcarchive`, documents: `schema-${schema}-without-secrets.json`, sealed: false },
];

const read = (name: string): Buffer => readFileSync(join(FOLDER, name));

/** On an appliance that has nothing. */
async function documentsAfter({ file, sealed }: Golden, bytes = read(file)): Promise<Documents> {
  const house = await House.open({ ticker: false });
  try {
    await restore(house, bytes, ALL, sealed ? { passphrase: PASSPHRASE } : null);
    return await documentsOf(house);
  } finally {
    await house.close();
  }
}

async function write(schema: number): Promise<void> {
  const house = await House.open({ ticker: false });
  try {
    await furnish(house, await house.actor());
    for (const { file, documents, sealed } of goldenOf(schema)) {
      const pieces: Buffer[] = [await bytesOf(house, sealed)];
      const to = { passphrase: PASSPHRASE, log_n: 12 };
      if (sealed) for await (const piece of encryptAge(pieces.splice(0), to, systemEntropy)) pieces.push(piece);
      const bytes = Buffer.concat(pieces);
      const after = sealed ? await documentsOf(house) : await documentsAfter({ file, documents, sealed }, bytes);
      const text = Buffer.from(`${JSON.stringify(after, null, 1)}\n`, 'utf8');
      for (const [name, content] of [[file, bytes] as const, [documents, text] as const]) {
        writeFileSync(join(FOLDER, name), content, { flag: 'wx' });
        process.stdout.write(`  '${name}': '${digest(content)}',\n`);
      }
    }
  } finally {
    await house.close();
  }
}

const SCHEMAS = Array.from({ length: SCHEMA_VERSION - FIRST + 1 }, (_, at) => FIRST + at).filter(
  (schema) => !PASSED.has(schema),
);
if (process.env.GOLDEN === 'write' && !existsSync(join(FOLDER, goldenOf(SCHEMA_VERSION)[0]!.file)))
  await write(SCHEMA_VERSION);

test('each schema that wrote archives has its golden ones, and none was written again', () => {
  const files = SCHEMAS.flatMap((schema) => goldenOf(schema).flatMap(({ file, documents }) => [file, documents]));
  expect(readdirSync(FOLDER).sort()).toEqual(files.sort());
  expect(Object.fromEntries(files.map((name) => [name, digest(read(name))]))).toEqual(DIGESTS);
});

describe.each(SCHEMAS)('of schema %d', (schema) => {
  test.each(goldenOf(schema).map((golden) => [golden.file, golden] as const))('%s', async (_file, golden) => {
    const documents = JSON.parse(read(golden.documents).toString('utf8')) as Documents;
    const wanted = Object.entries(SINCE).reduce(
      (said, [later, since]) => (Number(later) > schema ? since(said) : said),
      documents,
    );
    const found = await documentsAfter(golden);
    expect(Object.keys(found).sort()).toEqual(Object.keys(wanted).sort());
    // A later release may say more of a thing.
    expect(found).toMatchObject(wanted);
  });
});
