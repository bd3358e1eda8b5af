// Private keys of daemons through a whole apply: what a review and a run write down never has one, a failed run puts the
// former one back, and what was changed by hand is seen.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compareHost } from '../../../../shared/appliance/apply/drift.ts';
import { preparePlan, storePlan } from '../../../../shared/appliance/apply/make-plan.ts';
import { findPlan } from '../../../../shared/appliance/apply/plan-store.ts';
import { submitPlan } from '../../../../shared/appliance/apply/submit.ts';
import { UNITS } from '../../../../shared/appliance/units.ts';
import type { RenderedFile } from '../../../../shared/ground/machine/host.ts';
import { findJob } from '../../../../shared/kernel/jobs/job.ts';
import { createRoot } from '../../../../shared/platform/certificate-authority/authority.ts';
import { ensureServerCertificate } from '../../../../shared/platform/certificate-authority/issue.ts';
import { hostFiles } from '../../../../shared/platform/host/files.ts';
import { realKeys } from '../../../../shared/platform/host/key-driver.ts';
import { keyPath } from '../../../../shared/platform/host/key-files.ts';
import { load, ntsNames } from '../../../../shared/services/ntp/desired.ts';
import { CERTIFICATE_FILE } from '../../../../shared/services/ntp/files.ts';
import { type Credentials, House } from '../../../setup/house.ts';

const KEY = keyPath('ntp');
let data: string;
let house: House;
let admin: Credentials;
/** Path at which writing fails, once. */
let failing: string | null = null;
const written: RenderedFile[] = [];
/** The lines between the armour of every key that was made: what is looked for. */
const canaries: string[] = [];
const told: string[] = [];
/** What lay in the data folder while an apply ran: with what was kept for going back. */
const during: string[] = [];

const onHost = (path: string) => join(data, 'machine', path);
const key = () => readFileSync(onHost(KEY), 'utf8');

/** A certificate for another name; answers its key. */
async function issued(hostname: string): Promise<string> {
  const body = { hostname, nts_enabled: true };
  const heard = await house.send('PATCH', '/api/v1/ntp/settings', { token: admin.token, body });
  expect({ status: heard.status, text: heard.text }).toMatchObject({ status: 200 });
  const names = ntsNames(await load(house.services.store))!;
  const { key_pem } = await ensureServerCertificate(house.services, { purpose: 'ntp', names });
  canaries.push(...key_pem.split('\n').filter((line) => /^[A-Za-z0-9+/]{64}$/.test(line)));
  return key_pem;
}

async function apply() {
  const { services, appliance } = house;
  const prepared = await preparePlan(services, UNITS, 'test', { units: ['ntp'] });
  const { id, digest } = prepared.plan;
  await services.store.write((tx) => storePlan(tx, prepared));
  const { job_id } = await services.store.write((tx) => submitPlan(tx, services, id, { digest, note: '' }, 'test'));
  services.notify('queue');
  await appliance.runner.idle();
  const plan = await findPlan(services.store, id);
  const job = await findJob(services.store, job_id!);
  return { unit: plan.units.find((each) => each.id === 'ntp')!, job };
}

/** Every file below the data folder but for the machine that stands in there. */
function everywhere(): string[] {
  const found: string[] = [];
  const into = (folder: string): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (path === join(data, 'machine')) continue;
      if (statSync(path).isDirectory()) into(path);
      else found.push(readFileSync(path, 'latin1'));
    }
  };
  into(data);
  return found;
}

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'gct-private-keys-'));
  const files = hostFiles(join(data, 'machine'), realKeys(data));
  house = await House.open({
    data,
    fresh: true,
    ticker: false,
    log: (line) => told.push(line),
    host: (rehearsal) => ({
      ...rehearsal,
      ...files,
      write: async (file) => {
        if (file.path === failing) {
          failing = null;
          throw new Error('the disk said no');
        }
        written.push(file);
        await files.write(file);
      },
    }),
  });
  admin = await house.actor();
  const token = { token: admin.token };
  await house.send('PATCH', '/api/v1/certificate-authority/settings', { ...token, body: { enabled: true } });
  await house.services.store.write((tx) => createRoot(tx, house.services, 'test'));
  const address = { role: 'access', ipv4_cidr: '10.10.0.5/24', enabled: true };
  await house.send('PATCH', '/api/v1/interfaces/physical/ens192', { ...token, body: address });
  const body = { enabled: true, listen_interfaces: ['ens192'] };
  expect((await house.send('PATCH', '/api/v1/ntp/settings', { ...token, body })).status).toBe(200);
}, 60_000);
afterAll(async () => {
  await house.close();
  rmSync(data, { recursive: true, force: true });
});

test('a plan names the key by its public key, and the host has the key itself', async () => {
  const pem = await issued('ntp.lab.test');
  const { unit, job } = await apply();
  expect(job.state).toBe('succeeded');
  expect(unit.written).toEqual(expect.arrayContaining([KEY, CERTIFICATE_FILE]));
  expect(unit.raw).toMatch(/\+Private key of the public key with SHA-256 [0-9a-f]{64}\./);
  expect([key(), statSync(onHost(KEY)).mode & 0o777]).toEqual([pem, 0o640]);
  expect(readdirSync(join(onHost(KEY), '..'))).toEqual(['tls.key']);
});

test('of an apply that fails, the former key is put back whatever was renewed since', async () => {
  const former = key();
  const certificate = readFileSync(onHost(CERTIFICATE_FILE), 'utf8');
  const pem = await issued('time.lab.test');
  expect(pem).not.toBe(former);
  // The certificate is written before its key, the key before what comes last.
  failing = KEY;
  expect((await apply()).job.state).toBe('failed');
  expect([key(), readFileSync(onHost(CERTIFICATE_FILE), 'utf8')]).toEqual([former, certificate]);
  const writes = written.length;
  const real = house.services.host.write;
  house.services.host.write = async (file) => {
    await real(file);
    if (file.path !== KEY) return;
    during.push(...everywhere());
    throw new Error('the disk said no, after the key');
  };
  expect((await apply()).job.state).toBe('failed');
  house.services.host.write = real;
  expect(written.slice(writes).map(({ path }) => path)).toContain(KEY);
  expect([key(), readFileSync(onHost(CERTIFICATE_FILE), 'utf8')]).toEqual([former, certificate]);
  expect(readdirSync(join(onHost(KEY), '..'))).toEqual(['tls.key']);
});

test('a sealed key that is not the certificate’s stops the apply, and nothing of it is written', async () => {
  const { store } = house.services;
  const former = key();
  const row = "issued_certificate WHERE purpose = 'ntp' AND replaced_at IS NULL";
  const good = (await store.one<{ id: string; sealed_value: string }>(`SELECT id, sealed_value FROM ${row}`))!;
  const broken = `${good.sealed_value.slice(0, -4)}AAAA`;
  const put = (value: string) =>
    store.write((tx) => tx.run('UPDATE issued_certificate SET sealed_value = ? WHERE id = ?', [value, good.id]));
  await put(broken);
  const { job } = await apply();
  expect(job.state).toBe('failed');
  expect(JSON.stringify(job)).toContain('damaged or was moved');
  expect(key()).toBe(former);
  await put(good.sealed_value);
  expect((await apply()).job.state).toBe('succeeded');
  expect(key()).not.toBe(former);
});

test('a key that is changed or gone on the host is drift, which never shows it', async () => {
  const { services } = house;
  const lines = async () => {
    const { findings } = await compareHost(services, UNITS);
    return JSON.stringify(findings.get('ntp')?.finding);
  };
  const right = key();
  expect(await lines()).toBe('{"lines":[]}');
  writeFileSync(onHost(KEY), 'CANARY-BY-HAND');
  expect(await lines()).toBe(JSON.stringify({ lines: [{ path: KEY, state: 'changed' }] }));
  const { plan } = await preparePlan(services, UNITS, 'test');
  const planned = JSON.stringify(plan.units.find(({ id }) => id === 'ntp'));
  expect(planned).toContain('No private key.');
  expect(planned).not.toContain('CANARY');
  rmSync(onHost(KEY));
  expect(await lines()).toBe(JSON.stringify({ lines: [{ path: KEY, state: 'missing' }] }));
  writeFileSync(onHost(KEY), right, { mode: 0o640 });
  expect(await lines()).toBe('{"lines":[]}');
});

test('no key is anywhere but on the host', async () => {
  expect(canaries.length).toBeGreaterThan(20);
  const places = [...everywhere(), ...during, ...told, JSON.stringify(house.heard)];
  expect(during.filter((text) => text.includes('"earlier"'))).toHaveLength(1);
  expect(canaries.filter((line) => places.some((text) => text.includes(line)))).toEqual([]);
  expect(existsSync(onHost(KEY)) && canaries.some((line) => key().includes(line))).toBe(true);
  // Sealed or not: what is written down about a unit has none of it.
  const kept = join(data, 'apply');
  const texts = readdirSync(kept, { recursive: true, encoding: 'utf8' })
    .map((name) => join(kept, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'));
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => text.includes('sealed_value'))).toEqual([]);
});
