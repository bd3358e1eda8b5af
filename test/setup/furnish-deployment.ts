// Jobs with other machines of the lab for the browser tests: an OVA in the depot, a deployment whose appliance does not answer
// yet, an appliance that was pointed at the depot, and a vCenter that takes its keys from here. Nothing of it runs.

import type { Transaction } from '../../shared/ground/store/database.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { type AutomationLdapInput, queueAutomationLdap } from '../../shared/vcf/automation-ldap/input.ts';
import type { AutomationLdapResult } from '../../shared/vcf/automation-ldap/job.ts';
import { AUTOMATION_LDAP_TASK, taskHref as ldapHref } from '../../shared/vcf/automation-ldap/task.ts';
import { queueDeployment } from '../../shared/vcf/deployment/queue.ts';
import type { DeploymentRequest } from '../../shared/vcf/deployment/request.ts';
import { type KeyProviderInput, queueRegistration } from '../../shared/vcf/key-provider/input.ts';
import type { KeyProviderResult } from '../../shared/vcf/key-provider/job.ts';
import { KEY_PROVIDER_TASK, taskHref } from '../../shared/vcf/key-provider/task.ts';
import { queueRemoteDepot } from '../../shared/vcf/remote-depot/input.ts';
import { ANSWERS, OVA, putOva } from './deployment-scene.ts';

const sha256 = Array.from({ length: 32 }, (_none, at) =>
  (at * 7 + 16).toString(16).padStart(2, '0').toUpperCase(),
).join(':');
const { ROOT_PASSWORD: _root, LOCAL_USER_PASSWORD: _local, ...properties } = ANSWERS;

const REQUEST: DeploymentRequest = {
  target: { host: 'vc01.lab.example', port: 443, address: '172.16.20.10', sha256 },
  stored: null,
  ova: { file: OVA, digest: '', size_bytes: 2_214_592_512 },
  name: 'sddc-manager',
  placement: {
    ...{ datacenter_id: 'datacenter-1', pool_id: 'resgroup-8', host_id: null, datastore_id: 'datastore-1' },
    ...{ folder_id: null, networks: { 'Network 1': 'network-1' } },
  },
  ...{ deployment_option: '', disk_provisioning: 'thin', properties, power_on: true },
  secret_properties: ['ROOT_PASSWORD', 'LOCAL_USER_PASSWORD'],
  extras: { dns: true, trust: true, depot: true },
  place: 'vsan-01 at management',
};

const MINUTE = 60_000;
type Step = [name: string, minutes: number, state: string, ...said: string[]];

const DEPLOYED: Step[] = [
  ['verify', 1, 'succeeded', '4 members, all as the manifest names them; it is not signed.'],
  ['spec', 0.1, 'succeeded', 'VMware vCenter Server 8.0.3 build 24022515.', 'The target asks for 2 files.'],
  ['lease', 0.2, 'succeeded', 'The lease is ready; it ends after 300 seconds without a word.'],
  ['upload', 9, 'succeeded', 'VCF-SDDC-Manager-Appliance-disk1.vmdk: 2147483648 bytes.'],
  ['complete', 0.2, 'succeeded', '2 of 2 sums compared: the same.'],
  ['environment', 0, 'skipped', 'vCenter hands them to the machine itself, at its start.'],
  ['power-on', 0.3, 'succeeded', 'It is switched on.'],
  ['wait', 90, 'failed', 'Nothing answers at 10.20.0.15 yet.', 'It did not answer within 90 minutes.'],
];
const CONFIGURED: Step[] = [
  ['connect', 0.1, 'succeeded', 'The certificate is the one that was confirmed.'],
  ['login', 0.1, 'succeeded', 'SDDC Manager 9.1.0.0.24962180.'],
  ['depot', 0.2, 'succeeded', 'It has no depot yet.', 'It reaches https://depot.lab.example as depot.'],
  ['sync', 4, 'succeeded', 'Synchronised.'],
];

const KMS = { address: 'kms.lab.example', port: 5696 };
const REGISTRATION: KeyProviderInput = {
  ...{
    target: REQUEST.target,
    stored: null,
    provider_id: '',
    provider_name: 'management-domain',
    cluster: 'groundcrew',
  },
  ...{ server: { name: KMS.address, ...KMS }, server_sha256: sha256, make_default: false },
};
const REGISTERED: Step[] = [
  ['login', 0.1, 'succeeded', 'VMware vCenter Server 8.0.3 build 24022515.'],
  ['read', 0.1, 'succeeded', 'It has no key provider of this name.'],
  ['register', 0.1, 'succeeded', 'groundcrew has the server kms.lab.example:5696.'],
  ['trust', 0.1, 'succeeded', 'It trusts the certificate that was reviewed.'],
  ['client', 0.1, 'succeeded', 'Its certificate is let in to management-domain.'],
  ['status', 0.5, 'succeeded', 'It says that it is connected.'],
];
const REGISTERED_AS: Omit<KeyProviderResult, 'provider_id' | 'client_id'> = {
  ...{ server: 'vc01.lab.example', vcenter: 'VMware vCenter Server 8.0.3', cluster: 'groundcrew' },
  ...{ provider: 'management-domain', status: 'green', is_default: false },
};

const DIRECTORY: AutomationLdapInput = {
  ...{ target: { ...REQUEST.target, host: 'auto.lab.example' }, stored: null, mark: '', root_sha256: sha256 },
  ...{ organization: { id: 'urn:vcloud:org:1', name: 'acme' }, server: { host: 'ldap.lab.example', port: 636 } },
  ...{ slug: 'lab', account: 'automation', group: 'Operators', user: 'ada', replaces: false },
  role: { id: 'urn:vcloud:role:2', name: 'Organization User' },
};
const SET_THERE: Step[] = [
  ['login', 0.1, 'succeeded', 'acme, API 9.1.0.'],
  ['read', 0.1, 'succeeded', 'Its settings are those that were reviewed.'],
  ['trust', 0.1, 'succeeded', 'It trusts our root certificate.'],
  ['test', 0.2, 'succeeded', 'It signs in at ldap.lab.example:636, and reads ada.'],
  ['write', 0.1, 'succeeded', 'It has the LDAP settings of this directory.'],
  ['verify', 0.1, 'succeeded', 'It finds the user ada and the group Operators.'],
  ['roles', 0.1, 'succeeded', 'Operators is imported with the role Organization User.'],
  ['prove', 0.1, 'succeeded', 'ada signed in with the password of the directory.'],
];
const SET_AS: AutomationLdapResult = {
  ...{ server: 'auto.lab.example', organization: 'acme', directory: 'ldaps://ldap.lab.example:636' },
  ...{ group: 'Operators', role: 'Organization User', user: 'ada', replaced: false },
};

/** Addresses of the task pages, by their templates. */
export async function furnishDeployment(
  services: Services,
  kms: Pick<KeyProviderResult, 'provider_id' | 'client_id'>,
): Promise<Record<string, string>> {
  await putOva(services);
  const helper = '/ui/management/vcf-helper';
  const shell = { clock: services.clock, entropy: services.entropy };
  const [deployment, depot, registration, directory] = await services.store.write(async (tx) => {
    const failed = await queueDeployment(tx, shell, REQUEST, 'ada');
    await settle(tx, services, failed, DEPLOYED, {
      state: 'failed',
      kept: { machine: 'vm-41', powered: true },
      error: {
        error_code: 'remote_timeout',
        title: 'The other machine did not answer in time',
        detail:
          'The appliance did not answer within 90 minutes. The virtual machine sddc-manager exists on vsan-01 at management, switched on; nothing of it was deleted. Look at its console.',
      },
    });
    const input = {
      ...{ target: { ...REQUEST.target, host: 'sddcm.lab.example' }, stored: null, replace: null, rewrite: false },
      wanted: { depot: 'https://depot.lab.example as depot', ca_sha256: sha256 },
    };
    const done = await queueRemoteDepot(tx, shell, input, 'ada');
    const result = {
      ...{ server: 'sddcm.lab.example', machine: 'SDDC Manager', version: '9.1.0.0.24962180', outcome: 'configured' },
      ...{ depot: 'https://depot.lab.example as depot', replaced: null, synced_at: null },
    };
    await settle(tx, services, done, CONFIGURED, { state: 'succeeded', kept: {}, result });
    const registered = await queueRegistration(tx, shell, REGISTRATION, 'ada');
    await settle(tx, services, registered, REGISTERED, {
      state: 'succeeded',
      kept: {},
      result: { ...REGISTERED_AS, ...kms },
    });
    const given = await queueAutomationLdap(tx, shell, DIRECTORY, 'ada');
    await settle(tx, services, given, SET_THERE, { state: 'succeeded', kept: {}, result: SET_AS });
    return [failed, done, registered, given] as const;
  });
  return {
    [`${helper}/sddc-manager/tasks/{job_id}`]: `${helper}/sddc-manager/tasks/${deployment}`,
    [`${helper}/offline-depot/tasks/{job_id}`]: `${helper}/offline-depot/tasks/${depot}`,
    [`${KEY_PROVIDER_TASK.path}/tasks/{job_id}`]: taskHref(registration),
    [`${AUTOMATION_LDAP_TASK.path}/tasks/{job_id}`]: ldapHref(directory),
  };
}

interface End {
  state: 'succeeded' | 'failed';
  kept: object;
  result?: object;
  error?: object;
}

/** As if it had run, from two hours ago on. */
async function settle(tx: Transaction, { clock }: Services, job: string, steps: readonly Step[], end: End) {
  let at = clock.now().getTime() - 120 * MINUTE;
  const began = instantOf(at);
  for (const [name, minutes, state, ...texts] of steps) {
    const log = texts.map((text) => ({ at: instantOf(at), text, ok: state === 'succeeded' }));
    const started = instantOf(at);
    at += minutes * MINUTE;
    const times = state === 'skipped' ? [null, null] : [started, instantOf(at)];
    const row = [state, ...times, JSON.stringify(log), state === 'failed' ? 0 : 100, job, name];
    await tx.run(
      'UPDATE task SET state = ?, started_at = ?, finished_at = ?, log = ?, progress_percent = ? WHERE job_id = ? AND name = ?',
      row,
    );
  }
  await tx.run("UPDATE task SET state = 'skipped' WHERE job_id = ? AND state = 'queued'", [job]);
  const said = [end.result, end.error].map((each) => (each ? JSON.stringify(each) : null));
  await tx.run(
    'UPDATE job SET state = ?, started_at = ?, finished_at = ?, progress_percent = 100, kept = ?, result = ?, error = ? WHERE id = ?',
    [end.state, began, instantOf(at), JSON.stringify(end.kept), ...said, job],
  );
  await tx.run('DELETE FROM mutation_lock WHERE job_id = ?', [job]);
}

const instantOf = (ms: number): string => new Date(ms).toISOString();
