// The job that gives the directory to VCF Automation when something is in its way: nothing is written before the test was
// passed, what was done is taken back, old settings come back, or it is said what stays; a restart at each step.
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { openStore } from '../../../shared/ground/store/open-store.ts';
import { JobRun } from '../../../shared/kernel/jobs/run.ts';
import { jobSecrets } from '../../../shared/kernel/jobs/secrets.ts';
import type { FakeGroup, VcfAutomation, VcfAutomationOptions } from '../../fakes/vcf-automation.ts';
import {
  type AutomationScene,
  automationScene,
  PASSWORDS,
  putInForce,
  SUFFIX,
} from '../../setup/automation-ldap-house.ts';
import { automation, configured, describedDirectory, OLD } from '../../setup/automation-ldap-scene.ts';
import type { Credentials, House } from '../../setup/house.ts';
import { states } from '../../setup/remote-depot-scene.ts';
import { Walk } from '../../setup/wizard-walk.ts';

let scene: AutomationScene;
let house: House;
let admin: Credentials;
let fake: VcfAutomation;
let directory: ReturnType<typeof describedDirectory>;
let at: ((step: string) => Promise<void> | void) | null = null;
const fakes: VcfAutomation[] = [];

beforeAll(async () => {
  scene = await automationScene({ services: { checkpoint: (step) => at?.(step) } });
  ({ house, admin } = scene);
});
afterAll(() => house.close());
afterEach(async () => {
  at = null;
  for (const one of fakes.splice(0)) await one.stop();
});

async function product(options: Partial<VcfAutomationOptions> = {}): Promise<VcfAutomation> {
  directory = describedDirectory();
  fake = await automation({ directory, ...options });
  fakes.push(fake);
  return fake;
}

const jobAt = async (walk: Walk, where = scene) => {
  await where.house.appliance.runner.idle();
  return where.api('GET', `/api/v1/jobs/${walk.at.split('/').at(-1)}`);
};
const run = async (chosen: Record<string, string | null> = {}) => jobAt(await configured(house, admin, fake, chosen));
const fault = (call: string, status: number, message = 'No.') =>
  fake.faults.push({ call, answer: { status, json: { message } } });
const count = (call: string): number => fake.calls.filter((one) => one === call).length;
const knows = (other: Partial<typeof directory>) => void Object.assign(directory, other);
const PUT = 'PUT /cloudapi/v1/orgSettings/ldap';
const GET = 'GET /cloudapi/v1/orgSettings/ldap';
const LOGIN = 'POST /cloudapi/1.0.0/sessions';
const NONE = { enabled: false, settingsSource: 'NONE', definedSettings: null };
const { password: _old, ...OLD_SHOWN } = OLD.definedSettings;

/** As before the job, but for what cannot be read. */
async function nothingIsLeft(settings: object = NONE): Promise<void> {
  expect([fake.settings, fake.trusted, fake.groups, fake.open()]).toEqual([settings, [], [], 0]);
  expect(await house.services.store.all("SELECT * FROM mutation_lock WHERE scope LIKE 'automation-ldap%'")).toEqual([]);
}

const TAKEN_BACK = 'All that was done there was taken back.';

describe('nothing is written before the test was passed', () => {
  test('when it does not reach the directory', async () => {
    await product({ settings: OLD });
    directory.reached = false;
    const { state, error, tasks } = await run();
    expect([state, error.error_code, count(PUT)]).toEqual(['failed', 'remote_refused', 0]);
    expect(error.detail).toContain('can’t sign in to the directory at 127.0.0.1:636');
    expect(error.detail).toContain(TAKEN_BACK);
    expect(states({ tasks } as never)[3]).toBe('test failed');
    await nothingIsLeft(OLD);
  });

  test('when it refuses the model of the test, as another release may', async () => {
    await product();
    fault('POST /cloudapi/1.0.0/ldap/test', 400, 'Unrecognized field "fullName".');
    const { error } = await run();
    expect([error.error_code, count(PUT)]).toEqual(['remote_refused', 0]);
    expect(error.detail).toContain('It says: Unrecognized field "fullName".');
    await nothingIsLeft();
  });

  test('when it can’t read an attribute of the user', async () => {
    await product();
    const settingsTest = [
      { attribute: 'email', successful: true },
      { attribute: 'telephone', successful: false },
    ];
    const json = { connectionTest: { successful: true }, settingsTest };
    fake.faults.push({ call: 'POST /cloudapi/1.0.0/ldap/test', answer: { status: 200, json } });
    const { error } = await run();
    expect([error.detail, count(PUT)]).toEqual([expect.stringContaining('can’t read telephone of ada'), 0]);
    await nothingIsLeft();
  });
});

describe('nothing is written that was not confirmed', () => {
  const atLogin = (work: () => void) => {
    at = (step) => {
      if (step !== 'automation-ldap.login') return;
      at = null;
      work();
    };
  };

  test('settings that somebody set since the review', async () => {
    await product();
    atLogin(() => {
      fake.settings = OLD;
    });
    const { error } = await run();
    expect([error.error_code, count(PUT)]).toEqual(['state_conflict', 0]);
    expect(fake.settings).toBe(OLD);
    expect(fake.trusted).toEqual([]);
  });

  test('settings that somebody set between the test and the write', async () => {
    await product();
    at = (step) => {
      if (step === 'automation-ldap.write') fake.settings = OLD;
    };
    const { error } = await run();
    expect([error.error_code, count(PUT)]).toEqual(['state_conflict', 0]);
    await nothingIsLeft(OLD);
  });

  test('a role that is gone', async () => {
    await product();
    atLogin(() => fake.roles.splice(1));
    const { error } = await run();
    expect(error.detail).toContain('It has no role Organization User any more.');
    await nothingIsLeft();
  });

  test('a directory that was applied anew, elsewhere', async () => {
    await product();
    at = async (step) => {
      if (step !== 'automation-ldap.login') return;
      at = null;
      await putInForce(house, 10636);
    };
    const { error } = await run();
    expect([error.error_code, count(LOGIN)]).toEqual(['state_conflict', 1]);
    await putInForce(house);
  });

  test('a certificate that changed since the review: the login is sent to nobody', async () => {
    await product();
    atLogin(() => fake.changeCertificate());
    const { error } = await run();
    expect([error.error_code, count(LOGIN)]).toEqual(['certificate_changed', 1]);
  });
});

describe('old settings come back', () => {
  const IMPORT = 'POST /cloudapi/1.0.0/groups';

  test.each<[string, () => void, string]>([
    ['the group is not imported', () => fault(IMPORT, 403, 'Right required: group import'), 'Right required'],
    ['the user is not found', () => knows({ find: async () => [] }), 'can’t read'],
    [
      'the search finds nobody',
      () => fake.faults.push({ call: 'GET /cloudapi/1.0.0/ldap/search/user', answer: { status: 200, json: [] } }),
      'does not find the user ada',
    ],
    ['the user can’t sign in there', () => knows({ groupsOf: async () => [] }), 'does not let ada sign in'],
  ])('when %s', async (_what, breaks, says) => {
    await product({ settings: OLD });
    breaks();
    const { state, error } = await run();
    expect([state, error.detail]).toEqual(['failed', expect.stringContaining(says)]);
    const wrote = count(PUT) > 0;
    expect(error.detail).toContain(wrote ? 'The settings that it had before are back.' : TAKEN_BACK);
    // What was never overwritten keeps its password.
    await nothingIsLeft(wrote ? { ...OLD, definedSettings: OLD_SHOWN } : OLD);
  });

  test('a write that is refused overwrites nothing: the old password stays', async () => {
    await product({ settings: OLD });
    fault(PUT, 400, 'Unrecognized field "displayName".');
    const { error } = await run();
    expect([error.detail, count(PUT)]).toEqual([expect.stringContaining(TAKEN_BACK), 1]);
    await nothingIsLeft(OLD);
  });

  test('a connection that is cut while it writes', async () => {
    await product({ settings: OLD });
    fake.before.push({ call: PUT, work: () => fake.cut() });
    const { error } = await run();
    expect([error.error_code, error.detail]).toEqual([
      'remote_unreachable',
      expect.stringContaining('The settings that it had before are back.'),
    ]);
    expect([fake.settings, fake.trusted]).toEqual([{ ...OLD, definedSettings: OLD_SHOWN }, []]);
  });

  test('roles that a group had before', async () => {
    const group: FakeGroup = {
      ...{ id: 'urn:vcloud:group:old', name: 'admins', nameInSource: `cn=admins,ou=groups,${SUFFIX}` },
      ...{ providerType: 'LDAP', roleEntityRefs: [{ id: 'urn:vcloud:role:1', name: 'Organization Administrator' }] },
      orgEntityRef: { id: 'urn:vcloud:org:1', name: 'acme' },
    };
    await product({ groups: [structuredClone(group)] });
    directory.groupsOf = async () => [];
    const { error } = await run();
    expect(error.detail).toContain(TAKEN_BACK);
    expect(fake.groups).toEqual([group]);
  });
});

test('what can’t be taken back is said', async () => {
  await product({ settings: OLD });
  directory.groupsOf = async () => [];
  const second = { call: PUT, work: () => void fault(PUT, 500) };
  fake.before.push({ call: PUT, work: () => void fake.before.push(second) });
  const { error } = await run();
  expect(error.detail).toContain(
    'It could not be taken back, and stays: the LDAP settings of the organization acme, the trust',
  );
});

test('a login that ends on the way is made again; one that is refused then is told', async () => {
  await product();
  fake.before.push({ call: PUT, work: () => fake.endSessions() });
  expect((await run()).state).toBe('succeeded');
  // Of the wizard, of the job, once more, and of the user.
  expect(count(LOGIN)).toBe(4);

  await product();
  fake.before.push({
    call: PUT,
    work: () => {
      fake.endSessions();
      fake.account = { ...fake.account, password: 'another-one-now' };
    },
  });
  const { error } = await run();
  expect([error.error_code, fake.settings]).toEqual(['remote_login_refused', NONE]);
  expect(error.detail).toContain('It could not be taken back, and stays: ');
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

test('somebody who stops it: what was done is taken back, and old settings are told of', async () => {
  await product();
  at = async (step) => {
    if (step !== 'automation-ldap.verify') return;
    at = null;
    const [{ id }] = (await scene.api('GET', '/api/v1/jobs?state=running')).items;
    const stopped = noticed('cancel');
    await scene.api('POST', `/api/v1/jobs/${id}/cancel`);
    await stopped;
  };
  const { state, id } = await run();
  expect(state).toBe('cancelled');
  await nothingIsLeft();
  expect(jobSecrets(house.services).get(id)).toBeNull();
});

const STEPS = ['trusting', 'test', 'writing', 'verify', 'importing', 'prove'];

/** A service that ends at a step, while its job waits there. Answers its data. */
async function leftAt(step: string): Promise<{ walk: Walk; data: string }> {
  const [reached, holds] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stops = async (name: string) => {
    if (name !== `automation-ldap.${step}`) return;
    reached.resolve();
    await holds.promise;
  };
  const first = await automationScene({ services: { checkpoint: stops } });
  const walk = await configured(first.house, first.admin, fake);
  await reached.promise;
  const left = noticed('leave');
  const closed = first.house.close(true);
  await left;
  holds.resolve();
  await closed;
  return { walk, data: first.house.data };
}

test.each(STEPS)('left at %s: it says what there is, and goes on once the passwords are typed again', async (step) => {
  await product({ settings: OLD });
  const { walk, data } = await leftAt(step);
  const next = await automationScene({ data });
  try {
    const gone = await jobAt(walk, next);
    expect([gone.state, gone.error.error_code]).toEqual(['failed', 'remote_credential_gone']);
    expect(gone.error.detail).toContain('What was done before stays so far: ');
    const again = await new Walk(next.house, next.admin).open(walk.at);
    await again.send('Continue', { ...fake.account, ...PASSWORDS, bind_password: 'not-this-one' });
    const refused = await jobAt(walk, next);
    expect(refused.error.detail).toContain(
      'This is not the password of automation that is in force. Nothing was sent.',
    );
    await again.open(walk.at);
    await again.send('Continue', { ...fake.account, ...PASSWORDS });
    const job = await jobAt(walk, next);
    expect([job.state, job.error]).toEqual(['succeeded', null]);
    expect([fake.trusted.length, fake.groups.length, fake.settings.enabled]).toEqual([1, 1, true]);
  } finally {
    await next.house.close();
  }
});

test('left after the write, and refused when it goes on: the settings of before the job come back', async () => {
  await product({ settings: OLD });
  const { walk, data } = await leftAt('verify');
  directory.groupsOf = async () => [];
  const next = await automationScene({ data });
  try {
    await jobAt(walk, next);
    const again = await new Walk(next.house, next.admin).open(walk.at);
    await again.send('Continue', { ...fake.account, ...PASSWORDS });
    const { error } = await jobAt(walk, next);
    expect(error.detail).toContain('The settings that it had before are back.');
    expect([fake.settings, fake.trusted, fake.groups]).toEqual([{ ...OLD, definedSettings: OLD_SHOWN }, [], []]);
  } finally {
    await next.house.close();
  }
});

test('left after the write, and changed by somebody else meanwhile: theirs stay', async () => {
  await product();
  const { walk, data } = await leftAt('verify');
  fake.settings = OLD;
  const next = await automationScene({ data });
  try {
    await jobAt(walk, next);
    const again = await new Walk(next.house, next.admin).open(walk.at);
    await again.send('Continue', { ...fake.account, ...PASSWORDS });
    expect((await jobAt(walk, next)).error.error_code).toBe('state_conflict');
    expect(fake.settings).toBe(OLD);
    expect(fake.trusted).toEqual([]);
  } finally {
    await next.house.close();
  }
});

test('stopped while the service did not run: what stays is said', async () => {
  await product();
  const { walk, data } = await leftAt('verify');
  const between = await openStore(data);
  await between.write((tx) => tx.run("UPDATE job SET cancel_requested = 1 WHERE state = 'running'"));
  await between.close();
  const next = await automationScene({ data });
  try {
    const { state, error } = await jobAt(walk, next);
    expect([state, error.detail]).toEqual([
      'failed',
      'It was stopped. What was done before stays so far: the LDAP settings of the organization acme, the trust in our root certificate.',
    ]);
  } finally {
    await next.house.close();
  }
});

test('read fails on the way: an answer that can’t be used', async () => {
  await product();
  at = (step) => {
    if (step !== 'automation-ldap.read') return;
    at = null;
    fault(GET, 302);
  };
  const { error } = await run();
  expect(error.error_code).toBe('remote_answer_unusable');
  await nothingIsLeft();
});
