// Reading credentials and adding trusted certificates at the fake appliance: pages, masks, odd rows and faults.
import { describe, expect, test } from '@jest/globals';
import { readCredentials, readCredentialValues } from '../../../../shared/vcf/vcf-api/read-credentials.ts';
import { listTrustedCertificates, trustCertificate } from '../../../../shared/vcf/vcf-api/trusted-certificates.ts';
import { makeCertificate } from '../../../fakes/tls-target.ts';
import { html, json, vendorError } from '../../../fakes/vcf-appliance/answers.ts';
import type { Fault, VcfApplianceOptions } from '../../../fakes/vcf-appliance.ts';
import { everythingOf, faultFrom, within } from './appliance-scene.ts';

const MANAGER: VcfApplianceOptions = { role: 'SddcManager', version: '9.1.0.0.25100000' };
const INSTALLER: VcfApplianceOptions = { role: 'VcfInstaller', version: '9.1.0.0.25100000' };

describe('credentials of an SDDC Manager', () => {
  test.each([
    { page_cap: 5, first_page: 0, pages: 4 },
    { page_cap: 5, first_page: 1, pages: 5 },
    { page_cap: 1, first_page: 0, pages: 18 },
    { page_cap: null, first_page: 0, pages: 1 },
  ] as const)('all pages are read: $page_cap rows each, from page $first_page', ({ page_cap, first_page, pages }) =>
    within({ ...MANAGER, page_cap, first_page }, async (scene) => {
      const { session, appliance } = await scene.ready();
      const { candidates } = await readCredentials(session, appliance);
      expect(candidates).toHaveLength(scene.fake.estate.credentials.length);
      expect(new Set(candidates.map(({ ref }) => ref)).size).toBe(candidates.length);
      expect(scene.seen().filter((line) => line.startsWith('GET /v1/credentials'))).toHaveLength(pages);
    }),
  );

  test('a list that loses rows on the way is refused rather than shown as whole', () =>
    within(
      {
        ...MANAGER,
        faults: [
          {
            path: /credentials$/,
            answer: json(200, { elements: [], pageMetadata: { totalElements: 7, totalPages: 3 } }),
          },
        ],
      },
      async (scene) => {
        const { session, appliance } = await scene.ready();
        const fault = await faultFrom(readCredentials(session, appliance));
        expect(fault.message).toContain('Only 0 of 7');
      },
    ));

  test('a list without end ends', () =>
    within(
      {
        ...MANAGER,
        faults: [
          {
            path: /credentials$/,
            answer: ({ query }) =>
              json(200, {
                elements: [{ n: query.get('pageNumber') }],
                pageMetadata: { totalElements: 1e9, totalPages: 1e9 },
              }),
          },
        ],
      },
      async (scene) => {
        const { session, appliance } = await scene.ready();
        expect((await faultFrom(readCredentials(session, appliance))).reason).toBe('unreadable');
        expect(scene.fake.requests.length).toBeLessThan(250);
      },
    ));

  test('a list whose pages are each within bounds, and beyond any together, is not kept', () => {
    const ballast = 'x'.repeat(3 << 20);
    const answer = ({ query }: { query: URLSearchParams }) =>
      json(200, { elements: [{ n: query.get('pageNumber'), ballast }], pageMetadata: { totalPages: 100 } });
    return within({ ...MANAGER, faults: [{ path: /credentials$/, answer }] }, async (scene) => {
      const { session, appliance } = await scene.ready();
      expect((await faultFrom(readCredentials(session, appliance))).message).toContain('is too large');
      expect(scene.fake.requests.length).toBeLessThan(12);
    });
  });

  test('a row whose id is no text to ask for is counted, not asked for', () =>
    within({ ...MANAGER, masking: 'list' }, async (scene) => {
      const { credentials } = scene.fake.estate;
      credentials.splice(0, credentials.length, { ...credentials[0]!, id: '\ud800' });
      const { session, appliance } = await scene.ready();
      expect(await readCredentials(session, appliance)).toMatchObject({ candidates: [], unreadable: 1 });
    }));

  test('what the list masks and the single credential shows is read there', () =>
    within({ ...MANAGER, masking: 'list' }, async (scene) => {
      const { session, appliance } = await scene.ready();
      const { candidates } = await readCredentials(session, appliance);
      expect(candidates.filter(({ skip }) => skip)).toEqual([]);
    }));

  test('what is masked everywhere is skipped with its reason, after one attempt', () =>
    within({ ...MANAGER, masking: 'all' }, async (scene) => {
      const { session, appliance } = await scene.ready();
      const { candidates } = await readCredentials(session, appliance);
      expect(new Set(candidates.map(({ skip }) => skip?.reason))).toEqual(new Set(['masked']));
      expect(scene.seen().filter((line) => /credentials\/[^?]+ 200$/.test(line))).toHaveLength(1);
      const { values, missing } = await readCredentialValues(session, appliance, [candidates[0]!.ref]);
      expect(values).toEqual([]);
      expect(missing).toEqual([{ ref: candidates[0]!.ref, detail: 'The appliance shows the password masked.' }]);
    }));

  test('one whose user changed between the review and the import is missing; the others come', () =>
    within(MANAGER, async (scene) => {
      const { session, appliance } = await scene.ready();
      const [first, second] = (await readCredentials(session, appliance)).candidates;
      scene.fake.estate.credentials[0]!.username = 'someone-else';
      scene.fake.estate.credentials[1]!.password = 'Rotated-meanwhile-1!';
      const chosen = [first!.ref, second!.ref, second!.ref, 'cred_unknown'];
      const { values, missing } = await readCredentialValues(session, appliance, chosen);
      expect(values).toEqual([{ candidate: second, value: 'Rotated-meanwhile-1!' }]);
      expect(missing.map(({ ref }) => ref)).toEqual([first!.ref, 'cred_unknown']);
    }));

  test('rows that are no credentials are counted, not shown; odd ones are shown without addresses', () =>
    within(MANAGER, async (scene) => {
      const { credentials } = scene.fake.estate;
      const odd = {
        ...credentials[0]!,
        id: 'odd',
        credentialType: 'NEW',
        resource: { ...credentials[0]!.resource, resourceName: 'short', resourceIp: '', resourceType: 'NEW_KIND' },
      };
      credentials.splice(
        0,
        credentials.length,
        odd,
        { nothing: true } as never,
        { ...odd, id: 5 } as never,
        null as never,
      );
      const { session, appliance } = await scene.ready();
      const { candidates, unreadable } = await readCredentials(session, appliance);
      expect(unreadable).toBe(3);
      expect(candidates).toMatchObject([{ key: 'new_kind.short.root_new', uris: [], skip: null }]);
    }));

  test('an account without the ADMIN role is told so', () =>
    within({ ...MANAGER, caller: 'VIEWER' }, async (scene) => {
      const { session, appliance } = await scene.ready();
      const fault = await faultFrom(readCredentials(session, appliance));
      expect(fault.reason).toBe('not_permitted');
      expect(fault.message).toContain('ADMIN');
    }));

  const PASSWORD_IN_BODY = 'Leaked-by-the-fault-1!';
  const FAULTS: [string, Fault['answer'], string][] = [
    ['status 502 with a page', html(502, 'Bad Gateway'), 'not_ready'],
    ['status 500', vendorError(500, { errorCode: 'X', message: `password=${PASSWORD_IN_BODY}` }), 'failed'],
    ['status 400', vendorError(400, { errorCode: 'BAD', message: 'Bad page' }), 'refused'],
    ['a web page', html(200, 'Sign in'), 'not_ready'],
    ['cut JSON', { status: 200, body: `{"elements":[{"password":"${PASSWORD_IN_BODY}` }, 'unreadable'],
    ['wrong types', json(200, { elements: { password: PASSWORD_IN_BODY } }), 'unreadable'],
    ['a member named by an attacker', json(200, { elements: 5, [PASSWORD_IN_BODY]: 1 }), 'unreadable'],
    ['a redirect', { status: 301, headers: { location: `https://x/?password=${PASSWORD_IN_BODY}` } }, 'unreadable'],
  ];
  test.each(FAULTS)('%s is a fault without anything of the body', (_name, answer, reason) =>
    within({ ...MANAGER, faults: [{ path: /credentials$/, answer }] }, async (scene) => {
      const { session, appliance } = await scene.ready();
      const fault = await faultFrom(readCredentials(session, appliance));
      expect(fault.reason).toBe(reason);
      expect(everythingOf(fault)).not.toContain('Leaked');
    }),
  );

  const CONNECTION: [string, Fault['answer'], string][] = [
    ['an answer that is cut', { status: 200, body: '{"elements":[]}', cut: true }, 'remote_unreachable'],
    ['no answer', { status: 200, stall: true }, 'remote_timeout'],
    ['more than can be read', { status: 200, body: 'x'.repeat(9 * 1024 * 1024) }, 'remote_answer_unusable'],
  ];
  test.each(CONNECTION)('%s is the problem of the connection', (_name, answer, code) =>
    within({ ...MANAGER, faults: [{ path: /credentials$/, answer }] }, async (scene) => {
      scene.pinned(1000);
      const { session, appliance } = await scene.ready();
      await expect(readCredentials(session, appliance)).rejects.toMatchObject({ code });
    }),
  );

  test('a task that is given up ends at once', () =>
    within({ ...MANAGER, faults: [{ path: /credentials$/, answer: { status: 200, stall: true } }] }, async (scene) => {
      const { session, appliance } = await scene.ready();
      const reason = new Error('given up');
      await expect(readCredentials(session, appliance, AbortSignal.abort(reason))).rejects.toBe(reason);
    }));
});

describe('credentials of a VCF Installer', () => {
  test('nothing was deployed: no candidates, and it says so', () =>
    within({ ...INSTALLER, deployed: false }, async (scene) => {
      const { session, appliance } = await scene.ready();
      expect(await readCredentials(session, appliance)).toEqual({
        source: 'vcf-installer',
        candidates: [],
        deployment: null,
        unreadable: 0,
      });
    }));

  test('a deployment tells its state, generated passwords their reason', () =>
    within(INSTALLER, async (scene) => {
      scene.fake.estate.deployment.status = 'IN_PROGRESS';
      const { session, appliance } = await scene.ready();
      const { candidates, deployment } = await readCredentials(session, appliance);
      expect(deployment?.id).toBe(scene.fake.estate.deployment.id);
      const skipped = candidates.filter(({ skip }) => skip).map(({ key, skip }) => `${key} ${skip!.reason}`);
      expect(skipped).toEqual([
        'sddc_manager.sddc01_lab_test.root_ssh generated',
        'sddc_manager.sddc01_lab_test.vcf_ssh generated',
      ]);
    }));

  test('a masked specification has nothing to import', () =>
    within({ ...INSTALLER, masking: 'all' }, async (scene) => {
      const { session, appliance } = await scene.ready();
      const { candidates } = await readCredentials(session, appliance);
      expect(candidates.length).toBeGreaterThan(12);
      expect(candidates.filter(({ skip }) => !skip)).toEqual([]);
    }));

  test('an id that could lead elsewhere is refused', () =>
    within(INSTALLER, async (scene) => {
      scene.fake.faults.push({ path: /latest$/, answer: json(200, { id: '../../v1/tokens', status: 'X' }) });
      const { session, appliance } = await scene.ready();
      expect((await faultFrom(readCredentials(session, appliance))).reason).toBe('unreadable');
      expect(scene.seen().at(-1)).toBe('GET /v1/sddcs/latest 200');
    }));

  test('both kinds of appliance propose the same key for the same account', async () => {
    const keys = (options: VcfApplianceOptions) =>
      within(options, async (scene) => {
        const { session, appliance } = await scene.ready();
        return (await readCredentials(session, appliance)).candidates.map(({ key }) => key);
      });
    const [manager, installer] = [await keys(MANAGER), await keys(INSTALLER)];
    expect(manager.filter((key) => installer.includes(key))).toEqual([
      'esxi.esx01_lab_test.root_ssh',
      'esxi.esx02_lab_test.root_ssh',
      'esxi.esx03_lab_test.root_ssh',
      'esxi.esx04_lab_test.root_ssh',
      'vcenter.vc01_lab_test.root_ssh',
      'vcenter.vc01_lab_test.administrator_vsphere_local_sso',
      'nsx.nsx01_lab_test.root_ssh',
      'nsx.nsx01_lab_test.admin_api',
      'nsx.nsx01_lab_test.audit_audit',
    ]);
  });
});

describe('trusted certificates', () => {
  test('only the certificate goes out, and only when there is exactly one', () =>
    within(MANAGER, async (scene) => {
      const { session } = await scene.ready();
      const { cert, key } = makeCertificate();
      expect(await trustCertificate(session, `${key}\n# a comment\n${cert}`)).toBe('added');
      const [kept] = scene.fake.trusted;
      expect(kept!.certificate).not.toMatch(/PRIVATE KEY|comment/);
      for (const wrong of ['', 'not PEM', key, cert + cert, cert.replace('M', '!')]) {
        const fault = await faultFrom(trustCertificate(session, wrong));
        expect(fault.reason).toBe('refused');
        expect(everythingOf(fault)).not.toContain('PRIVATE');
      }
      expect(scene.seen().filter((line) => line.startsWith('POST /v1/sddc'))).toHaveLength(1);
    }));

  test('a list with certificates that cannot be read is read, over pages', () =>
    within({ ...MANAGER, page_cap: 2 }, async (scene) => {
      const { session } = await scene.ready();
      const made = [1, 2, 3].map((n) => makeCertificate({ subject: `/CN=Root ${n}` }));
      for (const { cert } of made) await trustCertificate(session, cert);
      scene.fake.trusted.push({ alias: 'vcf_broken', certificate: 'nonsense' });
      const listed = await listTrustedCertificates(session);
      expect(listed.map(({ sha256 }) => sha256)).toEqual([...made.map(({ sha256 }) => sha256), null]);
      expect(listed[0]!.subject).toBe('CN=Root 1');
    }));

  test.each([
    ['status 400', vendorError(400, { errorCode: 'INVALID_CERTIFICATE', message: 'no' }), 'refused'],
    ['status 403', vendorError(403, { errorCode: 'FORBIDDEN', message: 'no' }), 'not_permitted'],
    ['status 502', html(502, 'Bad Gateway'), 'not_ready'],
  ] as const)('%s is a fault', (_name, answer, reason) =>
    within({ ...MANAGER, faults: [{ method: 'POST', path: /trusted-certificates$/, answer }] }, async (scene) => {
      const { session } = await scene.ready();
      expect((await faultFrom(trustCertificate(session, makeCertificate().cert))).reason).toBe(reason);
    }),
  );
});
