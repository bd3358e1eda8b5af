// The client against the fake appliance over pinned TLS: every role and release, detection and login with their faults.
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Problem } from '../../../../shared/ground/problems.ts';
import { ENTRY_KEY } from '../../../../shared/platform/vaults/schemas.ts';
import { readUris } from '../../../../shared/platform/vaults/uris.ts';
import { detectAppliance } from '../../../../shared/vcf/vcf-api/detect.ts';
import { readCredentials, readCredentialValues } from '../../../../shared/vcf/vcf-api/read-credentials.ts';
import { login } from '../../../../shared/vcf/vcf-api/session.ts';
import { anonymously, type PinnedAnswer, type PinnedClient } from '../../../../shared/vcf/vcf-api/transport.ts';
import {
  isTrusted,
  listTrustedCertificates,
  trustCertificate,
} from '../../../../shared/vcf/vcf-api/trusted-certificates.ts';
import { makeCertificate } from '../../../fakes/tls-target.ts';
import { html, json, vendorError } from '../../../fakes/vcf-appliance/answers.ts';
import type { Fault, VcfApplianceOptions } from '../../../fakes/vcf-appliance.ts';
import { everythingOf, faultFrom, type Scene, within } from './appliance-scene.ts';

const ROLES = ['VcfInstaller', 'SddcManager'] as const;
const VERSIONS = ['9.0.0.0.24703748', '9.0.2.0.25000001', '9.1.0.0.25100000', '9.1.1.0.25200000'];
const EACH = ROLES.flatMap((role) => VERSIONS.map((version) => ({ role, version })));
const MANAGER: VcfApplianceOptions = { role: 'SddcManager', version: '9.1.0.0.25100000' };
const INSTALLER: VcfApplianceOptions = { role: 'VcfInstaller', version: '9.1.0.0.25100000' };
const INFO = /appliance-info/;
const detect = (scene: Scene) => detectAppliance(anonymously(scene.client));

describe.each(EACH)('$role $version', (options) => {
  test('is detected without a login, logs in, shows candidates, gives values, trusts a certificate, logs out', () =>
    within(options, async (scene) => {
      const { fake } = scene;
      const { session, appliance } = await scene.ready();
      expect(appliance.role).toBe(options.role === 'SddcManager' ? 'sddc-manager' : 'vcf-installer');
      expect(appliance.version.text).toBe(options.version);
      expect(fake.requests[0]).toMatchObject({ path: '/v1/system/appliance-info', token: 'none', password: false });

      const found = await readCredentials(session, appliance);
      expect(found.source).toBe(appliance.role);
      expect(found.unreadable).toBe(0);
      expect(found.candidates.length).toBeGreaterThan(12);
      const text = JSON.stringify(found);
      for (const secret of fake.secrets()) expect(text).not.toContain(secret);
      for (const { key, uris, username } of found.candidates) {
        expect(key).toMatch(ENTRY_KEY);
        expect(readUris(uris)).toEqual({ uris });
        expect(username).not.toBe('');
      }
      const usable = found.candidates.filter(({ skip }) => !skip);
      const refs = usable.map(({ ref }) => ref);
      const { values, missing } = await readCredentialValues(session, appliance, refs);
      expect(missing).toEqual([]);
      expect(values.map(({ candidate }) => candidate)).toEqual(usable);
      const passwords = new Set(fake.estate.passwords);
      for (const { value } of values) expect(passwords.has(value)).toBe(true);
      expect(new Set(values.map(({ value }) => value)).size).toBe(values.length);

      const { cert, sha256 } = makeCertificate({ subject: '/CN=Depot root' });
      expect(await trustCertificate(session, cert)).toBe('added');
      expect(await trustCertificate(session, cert)).toBe('already-trusted');
      expect(await isTrusted(session, sha256)).toBe(true);
      await session.logout();
      const last = fake.requests.at(-1);
      expect(last).toMatchObject({ method: 'DELETE', path: '/v1/tokens/refresh-token', status: 204 });
      expect((await faultFrom(session.ask({ method: 'GET', path: '/v1/x', limit: 1, what: 'x' }))).reason).toBe(
        'session_lost',
      );
      // The password went to one place, once.
      expect(fake.requests.filter(({ password }) => password).map(({ path }) => path)).toEqual(['/v1/tokens']);
    }));
});

describe('what answers is told apart', () => {
  const answers = (answer: Fault['answer']): VcfApplianceOptions => ({ ...MANAGER, faults: [{ path: INFO, answer }] });
  const STARTING: [string, VcfApplianceOptions][] = [
    ['status 502 with a page', { ...MANAGER, boot: [{ phase: '502' }] }],
    ['status 503 with a page', { ...MANAGER, boot: [{ phase: '503' }] }],
    ['a web page with status 200', { ...MANAGER, boot: [{ phase: 'page' }] }],
    ['status 500 in JSON', answers(vendorError(500, { errorCode: 'X', message: 'x' }))],
    ['JSON without a role', answers(json(200, { version: '9.1.0.0' }))],
    ['JSON that is a list', answers(json(200, [1]))],
    ['JSON with a role of null', answers(json(200, { role: null, version: null }))],
  ];
  test.each(STARTING)('%s is one that starts', (_name, options) =>
    within(options, async (scene) => {
      const found = await detect(scene);
      expect(found.state).toBe('starting');
    }),
  );

  const REASONS: [string, VcfApplianceOptions, string][] = [
    ['an SDDC Manager 5.2', { role: 'SddcManager', version: '5.2.1.0' }, 'unsupported_version'],
    ['release 10', { role: 'SddcManager', version: '10.0.0.0.1' }, 'unsupported_version'],
    ['an Installer of release 8', answers(json(200, { role: 'VcfInstaller', version: '8.0' })), 'unsupported_version'],
    ['another role', answers(json(200, { role: 'VcfOperations', version: '9.1.0.0' })), 'not_an_appliance'],
    [
      'a role that every object has',
      answers(json(200, { role: 'constructor', version: '9.1.0.0' })),
      'not_an_appliance',
    ],
    ['a web server', { ...MANAGER, faults: [{ path: /./, answer: html(404, 'Not Found') }] }, 'not_an_appliance'],
    ['an API of something else', { ...MANAGER, faults: [{ path: /./, answer: json(404, {}) }] }, 'not_an_appliance'],
    ['status 418', answers({ status: 418 }), 'not_an_appliance'],
    ['a redirect', answers({ status: 302, headers: { location: 'https://192.0.2.1/' } }), 'unreadable'],
    ['a version that is none', answers(json(200, { role: 'SddcManager', version: 'latest' })), 'unreadable'],
    ['cut JSON', answers({ status: 200, body: '{"role":"Sddc' }), 'unreadable'],
    ['wrong types', answers(json(200, { role: 9, version: {} })), 'unreadable'],
  ];
  test.each(REASONS)('%s is refused, without a credential having been sent', (_name, options, reason) =>
    within(options, async (scene) => {
      if (options.version.startsWith('10'))
        scene.fake.faults.push({ path: INFO, answer: json(200, { role: 'SddcManager', version: '10.0.0.0.1' }) });
      const fault = await faultFrom(detect(scene));
      expect(fault.reason).toBe(reason);
      expect(fault).toBeInstanceOf(Problem);
      expect(fault.status).toBe(409);
      for (const { token, password } of scene.fake.requests) expect([token, password]).toEqual(['none', false]);
    }),
  );

  test('the role is read whatever its case and separators', () =>
    within(answers(json(200, { role: 'SDDC_MANAGER', version: '9.0.0.0' })), async (scene) => {
      expect(await detect(scene)).toMatchObject({ state: 'ready', appliance: { role: 'sddc-manager' } });
    }));

  test('one that tells its role only after a login says so, and tells it to the session', () =>
    within({ ...MANAGER, open_info: false }, async (scene) => {
      expect(await detect(scene)).toEqual({ state: 'login-needed' });
      expect(await detectAppliance(await scene.login())).toMatchObject({ state: 'ready' });
    }));

  test('a session tells the release of an older SDDC Manager', () =>
    within({ role: 'SddcManager', version: '5.2.1.0' }, async (scene) => {
      const fault = await faultFrom(detectAppliance(await scene.login()));
      expect(fault.message).toMatch(/^The server is an SDDC Manager 5\.2\.1\.0\./);
    }));

  test('an Installer that became an SDDC Manager is one', () =>
    within(INSTALLER, async (scene) => {
      expect(await detect(scene)).toMatchObject({ appliance: { role: 'vcf-installer' } });
      scene.fake.behaviour.role = 'SddcManager';
      const { session, appliance } = await scene.ready();
      expect(appliance.role).toBe('sddc-manager');
      expect((await readCredentials(session, appliance)).candidates.length).toBeGreaterThan(0);
    }));

  test('a first boot is told from a certificate that changed in it, which is no matter of waiting', () =>
    within(
      {
        ...MANAGER,
        boot: [{ phase: 'refused' }, { phase: '502' }, { phase: 'page' }, { phase: 'page', changes_certificate: true }],
      },
      async (scene) => {
        const look = () => detectAppliance(anonymously(scene.client));
        await expect(look()).rejects.toMatchObject({ code: 'remote_unreachable' });
        await scene.fake.nextPhase();
        for (const phase of ['502', 'page']) {
          expect([phase, (await look()).state]).toEqual([phase, 'starting']);
          await scene.fake.nextPhase();
        }
        await scene.fake.nextPhase();
        const before = scene.fake.requests.length;
        await expect(look()).rejects.toMatchObject({ code: 'certificate_changed' });
        expect(scene.fake.requests).toHaveLength(before);
        scene.pinned();
        expect((await look()).state).toBe('ready');
      },
    ));
});

describe('login', () => {
  const WRONG = 'Wr0ng-password-typed!';
  test.each([400, 401, 403] as const)('a refusal with status %i carries nothing of what was typed', (refusal) =>
    within({ ...MANAGER, refusal, echo: true }, async (scene) => {
      const fault = await faultFrom(scene.login(WRONG));
      expect(fault.reason).toBe('login_refused');
      expect(fault.words).toMatchObject({ status: refusal, error_code: 'IDENTITY_UNAUTHORIZED_ENTITY' });
      expect(fault.message).toContain('[removed]');
      expect(fault.message).toContain('Verify the credentials.');
      expect(fault.message).toMatch(/Reference token: [0-9A-F]{6}\./);
      for (const part of [WRONG, WRONG.slice(0, 8), WRONG.slice(-8), 'admin@local']) {
        expect(everythingOf(fault)).not.toContain(part);
      }
    }),
  );

  const FAULTS: [string, Fault['answer'], string][] = [
    ['status 502 with a page', html(502, 'Bad Gateway'), 'not_ready'],
    ['status 503', { status: 503 }, 'not_ready'],
    ['status 429', { status: 429 }, 'not_ready'],
    ['status 401 with a page', html(401, 'Unauthorized'), 'login_refused'],
    ['status 500', vendorError(500, { errorCode: 'X', message: 'Internal' }), 'failed'],
    ['status 404', html(404, 'Not Found'), 'not_an_appliance'],
    ['a web page', html(200, 'Welcome'), 'not_ready'],
    ['no token', json(201, { refreshToken: { id: 'x' } }), 'unreadable'],
    ['a token with a line break', json(201, { accessToken: 'a\r\nx: y' }), 'unreadable'],
    ['an empty token', json(201, { accessToken: '' }), 'unreadable'],
    ['a redirect', { status: 307, headers: { location: 'https://192.0.2.1/v1/tokens' } }, 'unreadable'],
  ];
  test.each(FAULTS)('%s is a fault', (_name, answer, reason) =>
    within({ ...MANAGER, faults: [{ path: /tokens$/, answer }] }, async (scene) => {
      const fault = await faultFrom(scene.login());
      expect(fault.reason).toBe(reason);
      expect(everythingOf(fault)).not.toContain(scene.fake.account.password);
      // Once only: a redirect is not followed, nothing is sent again.
      expect(scene.seen().filter((line) => line.startsWith('POST'))).toHaveLength(1);
    }),
  );

  test('a changed certificate between the confirmation and the login: nothing is sent', () =>
    within(MANAGER, async (scene) => {
      await scene.fake.changeCertificate(true);
      await expect(scene.login()).rejects.toMatchObject({ code: 'certificate_changed' });
      expect(scene.fake.requests).toEqual([]);
    }));

  test('the bytes of the request that hold the password are overwritten after it, also when it failed', async () => {
    for (const status of [201, 500]) {
      let sent: Buffer | undefined;
      const client: PinnedClient = {
        async request({ body }): Promise<PinnedAnswer> {
          sent = body as Buffer;
          expect(sent.toString()).toContain('the-password');
          return { status, headers: {}, body: Buffer.from('{"accessToken":"t"}') };
        },
      };
      await login(client, { username: 'u', password: 'the-password' }).catch(() => undefined);
      expect(sent!.every((byte) => byte === 0)).toBe(true);
    }
  });

  test.each(['json', 'text'] as const)(
    'an expired token is renewed as %s, and questions at the same time renew once',
    (refresh) =>
      within({ ...MANAGER, token_uses: 3, refresh }, async (scene) => {
        const { session, appliance } = await scene.ready();
        for (let n = 0; n < 3; n += 1) {
          const [a, b, c] = await Promise.all([1, 2, 3].map(() => readCredentials(session, appliance)));
          expect(b).toEqual(a);
          expect(c).toEqual(a);
        }
        const renewals = scene.fake.requests.filter(({ method, status }) => method === 'PATCH' && status === 200);
        expect(renewals).toHaveLength(2);
        expect(scene.seen().filter((line) => line.startsWith('POST'))).toHaveLength(1);
      }),
  );

  test('a refresh token that is no longer known ends the session, with tokens in no message', () =>
    within({ ...MANAGER, token_uses: 0, refresh: 'refused', echo: true }, async (scene) => {
      const { session, appliance } = await scene.ready();
      const fault = await faultFrom(readCredentials(session, appliance));
      expect(fault.reason).toBe('session_lost');
      for (const secret of scene.fake.secrets()) expect(everythingOf(fault)).not.toContain(secret);
    }));

  test('a long task gets the credential again then, once for each loss', () =>
    within({ ...MANAGER, token_uses: 1, refresh: 'refused' }, async (scene) => {
      let asked = 0;
      const session = await login(scene.client, scene.fake.account, {
        again: async () => {
          asked += 1;
          return scene.fake.account;
        },
      });
      const { appliance } = await scene.ready();
      await readCredentials(session, appliance);
      await readCredentials(session, appliance);
      expect(asked).toBe(1);
      await readCredentials(session, appliance);
      expect(asked).toBe(2);
    }));

  test('an appliance that refuses every token, fresh ones too, is asked twice and no more', () =>
    within({ ...MANAGER, token_uses: 0, echo: true }, async (scene) => {
      const { session, appliance } = await scene.ready();
      const fault = await faultFrom(readCredentials(session, appliance));
      expect(fault.reason).toBe('session_lost');
      expect(scene.seen().filter((line) => line.startsWith('GET /v1/credentials'))).toHaveLength(2);
      for (const secret of scene.fake.secrets()) expect(everythingOf(fault)).not.toContain(secret);
    }));

  test('a logout while a token is being renewed stays one', () =>
    within({ ...MANAGER, token_uses: 0 }, async (scene) => {
      const { session } = await scene.ready();
      const asked = faultFrom(listTrustedCertificates(session));
      while (!scene.seen().some((line) => line.startsWith('PATCH'))) await setTimeout(1);
      await session.logout();
      expect((await asked).reason).toBe('session_lost');
      const before = scene.fake.requests.length;
      expect((await faultFrom(listTrustedCertificates(session))).reason).toBe('session_lost');
      expect(scene.fake.requests).toHaveLength(before);
    }));

  test('the bytes of answers that hold tokens or passwords are overwritten once they were read', async () => {
    const bodies: Buffer[] = [];
    const client: PinnedClient = {
      async request({ path }) {
        const value = path === '/v1/tokens' ? { accessToken: 't' } : { elements: [], pageMetadata: null };
        const body = Buffer.from(JSON.stringify(value));
        bodies.push(body);
        return { status: 200, headers: {}, body };
      },
    };
    const session = await login(client, { username: 'u', password: 'p' });
    const version = { text: '9.1', parts: [9, 1] };
    await readCredentials(session, { role: 'sddc-manager', version });
    expect(bodies).toHaveLength(2);
    for (const body of bodies) expect(body.every((byte) => byte === 0)).toBe(true);
  });

  test('an opaque token that an appliance repeats is taken out as well', () =>
    within(
      {
        ...MANAGER,
        faults: [
          {
            path: /tokens$/,
            answer: json(201, {
              accessToken: 'opaque-access-0123456789',
              refreshToken: { id: 'opaque-refresh-0123456789' },
            }),
          },
          {
            path: /renew|refresh/,
            answer: vendorError(500, { errorCode: 'X', message: 'No opaque-refresh-0123456789 known' }),
            times: 1,
          },
          {
            path: /trusted/,
            answer: vendorError(400, { errorCode: 'X', message: 'No opaque-access-0123456789, opaque-refresh-012345' }),
          },
        ],
      },
      async (scene) => {
        const session = await scene.login();
        const refused = await faultFrom(listTrustedCertificates(session));
        const failed = await faultFrom(
          session.ask({ method: 'GET', path: '/v1/credentials', limit: 1000, what: 'it' }),
        );
        expect([refused.reason, failed.reason]).toEqual(['refused', 'failed']);
        expect(everythingOf(refused) + everythingOf(failed)).not.toMatch(/opaque|0123/);
      },
    ));

  test('logout never rejects, and ends the session here whatever the appliance says', () =>
    within(
      { ...MANAGER, faults: [{ path: /refresh-token/, answer: { status: 200, cut: true, body: 'xx' } }] },
      async (scene) => {
        const { session } = await scene.ready();
        await session.logout();
        await session.logout();
        expect((await faultFrom(listTrustedCertificates(session))).reason).toBe('session_lost');
      },
    ));
});
