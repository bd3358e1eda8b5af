// The job that registers at a vCenter when something is in its way: what was done is taken back, here and there, or it is said
// what stays; logins that run out, a restart of our own, and somebody who stops it.
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { openStore } from '../../../shared/ground/store/open-store.ts';
import { JobRun } from '../../../shared/kernel/jobs/run.ts';
import { jobSecrets } from '../../../shared/kernel/jobs/secrets.ts';
import { makeCertificate } from '../../fakes/tls-target.ts';
import { startVcenterKms, type VcenterKms } from '../../fakes/vcenter-kms.ts';
import type { Credentials, House } from '../../setup/house.ts';
import { hurry, keyProviderScene, listenSteadily, registered } from '../../setup/key-provider-scene.ts';
import { KmsScene } from '../../setup/kms-scene.ts';
import { states } from '../../setup/remote-depot-scene.ts';
import { signingRequest } from '../../setup/signing-request.ts';
import { Walk } from '../../setup/wizard-walk.ts';

let scene: KmsScene;
let house: House;
let admin: Credentials;
let fake: VcenterKms;
let at: ((step: string) => Promise<void> | void) | null = null;
const fakes: VcenterKms[] = [];

beforeAll(async () => {
  hurry();
  scene = await keyProviderScene({ services: { checkpoint: (step) => at?.(step) } });
  ({ house, admin } = scene);
});
afterAll(() => scene.close());
afterEach(async () => {
  at = null;
  for (const one of fakes.splice(0)) await one.stop();
});

async function vcenter(): Promise<VcenterKms> {
  fake = await startVcenterKms({ providers: [{ id: 'old-kms' }] });
  fakes.push(fake);
  return fake;
}

const jobAt = async (walk: Walk, where = scene) => {
  await where.house.appliance.runner.idle();
  return where.api('GET', `/api/v1/jobs/${walk.at.split('/').at(-1)}`);
};
const run = async (chosen: Record<string, string | null> = {}) => {
  return jobAt(await registered(house, admin, fake, { provider_name: 'lab', make_default: 'yes', ...chosen }));
};
const fault = (method: string, type: string, message = 'No.') =>
  fake.faults.push({ method, answer: { type, message } });
const count = (method: string): number => fake.calls.filter((call) => call === method).length;

/** Neither side has anything of it. */
async function nothingIsLeft(): Promise<void> {
  expect(fake.providers.map(({ id, is_default }) => [id, is_default])).toEqual([['old-kms', true]]);
  expect((await scene.api('GET', '/api/v1/kms/providers')).items).toEqual([]);
  expect((await scene.api('GET', '/api/v1/kms/clients')).items).toEqual([]);
  expect(await house.services.store.all("SELECT * FROM mutation_lock WHERE scope LIKE 'key-provider%'")).toEqual([]);
}

const TAKEN_BACK = 'All that was done for it, here and at the vCenter, was taken back.';

describe('what was done is taken back', () => {
  test('when the vCenter can’t reach the KMIP server', async () => {
    await vcenter();
    fault('RetrieveKmipServerCert', 'RuntimeFault', 'Cannot connect: ECONNREFUSED');
    const { state, error, tasks } = await run();
    expect([state, error.error_code]).toEqual(['failed', 'remote_refused']);
    expect(error.detail).toMatch(/can’t reach the KMIP server at 127\.0\.0\.1:\d+\..*ECONNREFUSED/);
    expect(error.detail).toContain(TAKEN_BACK);
    expect(states({ tasks } as never)[3]).toBe('trust failed');
    await nothingIsLeft();
  });

  test('when something else answers at that address: nothing is made to be trusted', async () => {
    await vcenter();
    const other = makeCertificate();
    fake.shows = other.cert;
    const { error } = await run();
    expect(error.detail).toContain(`the vCenter sees a certificate with SHA-256 ${other.sha256}`);
    expect(error.detail).toContain(TAKEN_BACK);
    expect(count('UploadKmipServerCert')).toBe(0);
    await nothingIsLeft();
  });

  test('when it says red: the certificate that was issued is revoked', async () => {
    await vcenter();
    fake.before.push({
      method: 'RetrieveKmipServersStatus_Task',
      work: () => {
        fake.providers[1]!.trusted_pem = null;
      },
    });
    const { error } = await run();
    expect(error.detail).toContain('It says: red, The certificate of the server is not trusted.');
    expect(error.detail).toContain(TAKEN_BACK);
    await nothingIsLeft();
    const { items } = await scene.api('GET', '/api/v1/certificate-authority/certificates?limit=200');
    const [issued] = items.filter(({ profile }: { profile: string }) => profile === 'client');
    expect(issued.state).toBe('revoked');
  });

  test('when its signing request can’t be signed', async () => {
    await vcenter();
    fault('GenerateClientCsr', 'NoPermission', 'Permission to perform this operation was denied.');
    const { error } = await run();
    expect([error.error_code, error.detail.includes('may not make a signing request')]).toEqual([
      'remote_refused',
      true,
    ]);
    await nothingIsLeft();
  });

  test('a provider that was here before stays, without the client', async () => {
    await vcenter();
    const provider_id = await scene.provider('stays');
    fault('UpdateKmsSignedCsrClientCert', 'RuntimeFault', 'No.');
    const { error } = await run({ provider_id });
    expect(error.detail).toContain(TAKEN_BACK);
    expect((await scene.api('GET', `/api/v1/kms/providers/${provider_id}`)).client_count).toBe(0);
    await scene.api('DELETE', `/api/v1/kms/providers/${provider_id}`);
    await nothingIsLeft();
  });
});

describe('what belongs to somebody else is left alone', () => {
  test('a name that was taken since the review', async () => {
    await vcenter();
    at = (step) => {
      if (step !== 'key-provider.login') return;
      at = null;
      fake.providers.push({ ...fake.providers[0]!, id: 'Lab-Keys', is_default: false });
    };
    const { error } = await run();
    expect([error.error_code, count('RegisterKmipServer'), count('RemoveKmipServer')]).toEqual([
      'already_exists',
      0,
      0,
    ]);
    expect(fake.providers.map(({ id }) => id)).toEqual(['old-kms', 'Lab-Keys']);
  });

  test('a name that is taken at the last moment', async () => {
    await vcenter();
    fault('RegisterKmipServer', 'AlreadyExists', 'The specified key already exists.');
    const { error } = await run();
    expect([error.error_code, count('RemoveKmipServer')]).toEqual(['already_exists', 0]);
    await nothingIsLeft();
  });
});

test('what can’t be taken back is said', async () => {
  await vcenter();
  fault('RetrieveKmipServerCert', 'RuntimeFault');
  fault('RemoveKmipServer', 'NoPermission');
  const { error } = await run();
  expect(error.detail).toContain('It could not be taken back, and stays: the key provider lab-keys in 127.0.0.1.');
  expect(fake.providers.map(({ id }) => id)).toEqual(['old-kms', 'lab-keys']);
});

test('a default that is refused takes nothing back: it is connected', async () => {
  await vcenter();
  fault('MarkDefault', 'NoPermission');
  const { state, error } = await run({ provider_name: 'connected' });
  expect(state).toBe('failed');
  expect(error.detail).toContain('The key provider lab-keys is registered and connected, but not the default.');
  expect(fake.providers.map(({ id, is_default }) => [id, is_default])).toEqual([
    ['old-kms', true],
    ['lab-keys', false],
  ]);
});

test('a login that ends on the way is made again', async () => {
  await vcenter();
  fake.before.push({ method: 'GenerateClientCsr', work: () => fake.endSessions() });
  const { state } = await run({ provider_name: 'again' });
  expect(state).toBe('succeeded');
  // Of the wizard, of the job, and once more.
  expect(count('Login')).toBe(3);
});

test('a certificate that changed since the review: the login is sent to nobody', async () => {
  await vcenter();
  at = (step) => {
    if (step !== 'key-provider.login') return;
    at = null;
    fake.changeCertificate();
  };
  const logins = () => count('Login');
  const { error } = await run({ provider_name: 'changed' });
  expect([error.error_code, logins()]).toEqual(['certificate_changed', 1]);
});

test('somebody who stops it: what was done is taken back', async () => {
  await vcenter();
  const before = (await scene.api('GET', '/api/v1/kms/providers')).items.length;
  at = async (step) => {
    if (step !== 'key-provider.let-in') return;
    at = null;
    const [{ id }] = (await scene.api('GET', '/api/v1/jobs?state=running')).items;
    const stopped = noticed('cancel');
    await scene.api('POST', `/api/v1/jobs/${id}/cancel`);
    await stopped;
  };
  const { state, id } = await run({ provider_name: 'stopped' });
  expect(state).toBe('cancelled');
  expect(fake.providers.map(({ id }) => id)).toEqual(['old-kms']);
  expect((await scene.api('GET', '/api/v1/kms/providers')).items).toHaveLength(before);
  expect(jobSecrets(house.services).get(id)).toBeNull();
});

test('somebody who stops it while what was done can’t be taken back: that is no plain stop', async () => {
  await vcenter();
  fault('RemoveKmipServer', 'RuntimeFault');
  at = async (step) => {
    if (step !== 'key-provider.let-in') return;
    at = null;
    const [{ id }] = (await scene.api('GET', '/api/v1/jobs?state=running')).items;
    const stopped = noticed('cancel');
    await scene.api('POST', `/api/v1/jobs/${id}/cancel`);
    await stopped;
  };
  const { state, error } = await run({ provider_name: 'stopped-half', cluster: 'half' });
  expect([state, error.detail]).toEqual([
    'failed',
    expect.stringMatching(/^It was stopped\. It could not be taken back, and stays: /),
  ]);
});

/** The next time that a job hears of it. */
function noticed(what: 'leave' | 'cancel'): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const tell = JobRun.prototype[what];
  const spy = jest.spyOn(JobRun.prototype, what).mockImplementation(function (this: JobRun) {
    spy.mockRestore();
    tell.call(this);
    resolve();
  });
  return promise;
}

/** Interrupted at this step by a restart, and failed because its login is gone. */
async function leftAt(step: string): Promise<{ next: KmsScene; walk: Walk; port: number }> {
  const [reached, holds] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stops = async (name: string) => {
    if (name !== step) return;
    reached.resolve();
    await holds.promise;
  };
  const first = await keyProviderScene({ services: { checkpoint: stops } });
  const walk = await registered(first.house, first.admin, fake, { provider_name: 'left', make_default: null });
  await reached.promise;
  const left = noticed('leave');
  const { port } = first;
  await first.listeners.stop(0);
  const closed = first.house.close(true);
  await left;
  holds.resolve();
  await closed;
  const next = await KmsScene.open({ data: first.house.data });
  await listenSteadily(next, port);
  return { next, walk, port };
}

test('one that somebody registered by hand at the same place while it was interrupted is not its own', async () => {
  await vcenter();
  const asked = fake.faults.length;
  fault('RegisterKmipServer', 'RuntimeFault', 'Not now.');
  const { next, walk, port } = await leftAt('key-provider.registering');
  fake.faults.splice(asked);
  try {
    const address = '127.0.0.1';
    const by_hand = { ...fake.providers[0]!, id: 'lab-keys', is_default: false };
    fake.providers.splice(1, fake.providers.length, { ...by_hand, servers: [{ name: address, address, port }] });
    expect((await jobAt(walk, next)).error.error_code).toBe('remote_credential_gone');
    await (await new Walk(next.house, next.admin).open(walk.at)).send('Continue', fake.account);
    const { state, error } = await jobAt(walk, next);
    expect([state, error.error_code]).toEqual(['failed', 'already_exists']);
    expect(error.detail).toContain('named lab-keys already, which this job did not register, and it is left alone.');
    expect(fake.providers.map(({ id }) => id)).toEqual(['old-kms', 'lab-keys']);
    expect(count('RemoveKmipServer')).toBe(0);
    expect((await next.api('GET', '/api/v1/kms/clients')).items).toEqual([]);
  } finally {
    await next.close();
  }
});

test('nor is one of the same names, once a certificate was signed for its own: it has another key', async () => {
  await vcenter();
  const { next, walk } = await leftAt('key-provider.let-in');
  try {
    const [, { servers }] = fake.providers as [VcenterKms['providers'][0], VcenterKms['providers'][0]];
    const { certificate_pem, csr_pem, key_pem } = fake.providers[0]!;
    fake.providers.splice(1, 1, { ...fake.providers[1]!, servers, certificate_pem, csr_pem, key_pem });
    await (await new Walk(next.house, next.admin).open(walk.at)).send('Continue', fake.account);
    const { state, error } = await jobAt(walk, next);
    expect([state, error.error_code]).toEqual(['failed', 'already_exists']);
    expect(fake.providers.map(({ id }) => id)).toEqual(['old-kms', 'lab-keys']);
    expect(count('RemoveKmipServer')).toBe(0);
    expect((await next.api('GET', '/api/v1/kms/clients')).items).toEqual([]);
  } finally {
    await next.close();
  }
});

test.each([
  ['certificate', 'RetrieveClientCsr'],
  ['signing request', 'RetrieveClientCert'],
] as const)('nor is one with another client %s, where the vCenter does not answer %s', async (what, method) => {
  await vcenter();
  const { next, walk } = await leftAt('key-provider.let-in');
  try {
    const [, ours] = fake.providers as [VcenterKms['providers'][0], VcenterKms['providers'][0]];
    const other = signingRequest({ subject: '/O=VMware/CN=vCenter KMIP client' });
    const [certificate_pem, csr_pem] = what === 'certificate' ? [makeCertificate().cert, null] : [null, other.csr];
    fake.providers.splice(1, 1, { ...ours, certificate_pem, csr_pem, key_pem: null });
    fault(method, 'NoPermission');
    await (await new Walk(next.house, next.admin).open(walk.at)).send('Continue', fake.account);
    const { state, error } = await jobAt(walk, next);
    expect([state, error?.error_code, count('RemoveKmipServer')]).toEqual(['failed', 'already_exists', 0]);
  } finally {
    await next.close();
  }
});

test.each(['RetrieveClientCert', 'RetrieveClientCsr'])(
  'a vCenter that does not answer %s to this account: the name tells',
  async (method) => {
    await vcenter();
    const { next, walk } = await leftAt('key-provider.let-in');
    try {
      fault(method, 'NoPermission');
      await (await new Walk(next.house, next.admin).open(walk.at)).send('Continue', fake.account);
      expect((await jobAt(walk, next)).state).toBe('succeeded');
    } finally {
      await next.close();
    }
  },
);

test.each(['key-provider.registering', 'key-provider.let-in'])(
  'left at %s: it says what there is, and goes on once the login is typed again',
  async (step) => {
    await vcenter();
    const { next, walk } = await leftAt(step);
    try {
      const gone = await jobAt(walk, next);
      expect([gone.state, gone.error.error_code]).toEqual(['failed', 'remote_credential_gone']);
      expect(gone.error.detail).toContain('What was done before stays so far: the key provider lab-keys in 127.0.0.1');
      const again = await new Walk(next.house, next.admin).open(walk.at);
      await again.send('Continue', fake.account);
      const job = await jobAt(walk, next);
      expect([job.state, job.error]).toEqual(['succeeded', null]);
      expect(fake.providers.map(({ id }) => id)).toEqual(['old-kms', 'lab-keys']);
      expect((await next.api('GET', '/api/v1/kms/clients')).items).toHaveLength(1);
      expect([count('RegisterKmipServer'), count('GenerateClientCsr')]).toEqual([1, 1]);
    } finally {
      await next.close();
    }
  },
);

test('stopped while the service did not run: the vCenter is let in no more, and what stays there is said', async () => {
  await vcenter();
  const [reached, holds] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stops = async (name: string) => {
    if (name !== 'key-provider.let-in') return;
    reached.resolve();
    await holds.promise;
  };
  const first = await keyProviderScene({ services: { checkpoint: stops } });
  const walk = await registered(first.house, first.admin, fake, { provider_name: 'left', make_default: null });
  await reached.promise;
  const left = noticed('leave');
  await first.listeners.stop(0);
  const closed = first.house.close(true);
  await left;
  holds.resolve();
  await closed;
  const between = await openStore(first.house.data);
  await between.write((tx) => tx.run("UPDATE job SET cancel_requested = 1 WHERE state = 'running'"));
  await between.close();
  const next = await KmsScene.open({ data: first.house.data });
  try {
    const { state, error } = await jobAt(walk, next);
    const said = 'It was stopped. What was done before stays so far: the key provider lab-keys in 127.0.0.1.';
    expect([state, error.detail]).toEqual(['failed', said]);
    expect((await next.api('GET', '/api/v1/kms/clients')).items).toEqual([]);
  } finally {
    await next.close();
  }
});
