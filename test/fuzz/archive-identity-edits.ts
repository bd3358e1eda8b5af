// Random edits of what an archive has of trust and identity: key management, the directory, OpenID Connect, the certificate of
// the management UI, and targets of scheduled archives.
import { instant } from '../../shared/ground/clock.ts';
import { insertKey } from '../../shared/services/kms/keys/key-rows.ts';
import { sealMaterial } from '../../shared/services/kms/keys/material.ts';
import { type House, PASSWORD } from '../setup/house.ts';
import { selfSigned } from '../setup/self-signed.ts';
import type { Edit } from './archive-edits.ts';
import type { Dice } from './world-dice.ts';

interface Editing {
  house: House;
  dice: Dice;
  number: number;
  words: string;
  /** Id of one of its rows; `none` where there is none. */
  one(table: string, where?: string): Promise<string>;
}

type Edits = Readonly<Record<string, () => Promise<Edit>>>;

/** Making one takes longer than all else of a state: a few do. */
const CERTIFICATES = 8;
const made = new Map<string, ReturnType<typeof selfSigned>>();

function certificateOf(name: string, more?: readonly string[]): ReturnType<typeof selfSigned> {
  const known = made.get(name) ?? selfSigned(name, more);
  made.set(name, known);
  return known;
}

export const identityEdits = (of: Editing): Edits => ({ ...trust(of), ...directory(of), ...signIns(of) });

/** Only a KMIP client makes one. */
async function makeKey({ house: { services } }: Editing, provider_id: string): Promise<void> {
  const { entropy, clock, store } = services;
  const at = instant(clock.now());
  await store.write(async (tx) => {
    const id = `key_${entropy.bytes(10).toString('hex')}`;
    const sealed = await sealMaterial(services, id, entropy.bytes(32));
    const kind = { origin: 'created', length_bits: 256, usage_mask: 12, created_by: 'vc01.lab.example' } as const;
    const times = { activated_at: at, deactivated_at: null, compromised_at: null, created_at: at, changed_at: at };
    await insertKey(tx, { id, provider_id, state: 'active', attributes: [], ...kind, ...times, ...sealed });
  });
}

const trust = (of: Editing): Edits => ({
  kms_provider: async () => ['POST', 'kms/providers', { name: `p${of.number}`, description: of.words }],
  'kms_provider changed': async () => [
    'PATCH',
    `kms/providers/${await of.one('kms_provider')}`,
    { description: of.words },
  ],
  kms_key: async () => {
    const provider_id = await of.one('kms_provider');
    await makeKey(of, provider_id);
    return ['PATCH', `kms/providers/${provider_id}`, { activates_on_create: of.dice.chance(0.5) }];
  },
  kms_client: async () => {
    const name = `vc${of.dice.below(CERTIFICATES)}.lab.example`;
    const { certificate } = certificateOf(name);
    return [
      'POST',
      'kms/clients',
      { provider_id: await of.one('kms_provider'), name, certificate, own_password: PASSWORD },
    ];
  },
  'kms_tombstone of a client': async () => ['DELETE', `kms/clients/${await of.one('kms_client')}`],
  management_certificate: async () => {
    const more = ['-days', '30', '-addext', 'subjectAltName=IP:10.10.0.5'];
    const pair = certificateOf(`gc01.lab.example/OU=${of.dice.below(3)}`, more);
    return ['PUT', 'management-tls/certificate', { ...pair, own_password: PASSWORD }];
  },
});

const directory = (of: Editing): Edits => ({
  ldap_organization: async () => [
    'POST',
    'ldap/organizations',
    { slug: `o${of.number}`, suffix: `o=o${of.number}`, description: of.words },
  ],
  'ldap_organization removed': async () => [
    'DELETE',
    `ldap/organizations/${await of.one('ldap_organization', "slug GLOB 'o[0-9]*'")}`,
  ],
  ldap_user: async () => [
    'POST',
    'ldap/users',
    { organization_id: await of.one('ldap_organization'), uid: `u${of.number}`, surname: of.words || 'Lovelace' },
  ],
  'ldap_user removed': async () => ['DELETE', `ldap/users/${await of.one('ldap_user')}`],
  ldap_group: async () => [
    'POST',
    'ldap/groups',
    { organization_id: await of.one('ldap_organization'), name: `g${of.number}`, description: of.words },
  ],
  'ldap_group removed': async () => ['DELETE', `ldap/groups/${await of.one('ldap_group')}`],
  ldap_bind_account: async () => [
    'POST',
    'ldap/bind-accounts',
    { organization_id: await of.one('ldap_organization'), name: `b${of.number}`, description: of.words },
  ],
  'ldap_bind_account removed': async () => ['DELETE', `ldap/bind-accounts/${await of.one('ldap_bind_account')}`],
  ldap_password: async () => [
    'POST',
    `ldap/users/${await of.one('ldap_user')}/password`,
    { password: `a passphrase of ${of.number}` },
  ],
});

const signIns = (of: Editing): Edits => ({
  oidc_client: async () => [
    'POST',
    'oidc/clients',
    { name: `app ${of.number}`, preset: 'generic', redirect_uris: [`https://app${of.number}.lab.example/callback`] },
  ],
  'oidc_client changed': async () => [
    'PATCH',
    `oidc/clients/${await of.one('oidc_client')}`,
    { description: of.words, enabled: of.dice.chance(0.5) },
  ],
  'oidc_client removed': async () => ['DELETE', `oidc/clients/${await of.one('oidc_client', "name LIKE 'app%'")}`],
  // A new key takes long: now and then.
  oidc_signing_key: async () =>
    of.dice.chance(0.1) ? ['POST', 'oidc/signing-keys/rotate'] : ['GET', 'oidc/signing-keys'],
  scim_target: async () => [
    'PUT',
    `oidc/clients/${await of.one('oidc_client')}/scim`,
    {
      base_url: `https://vc${of.number}.lab.example/usergroup/t/CUSTOMER/scim/v2`,
      token: `token-of-${of.number}`,
      domain: of.dice.pick(['', 'lab.example']),
    },
  ],
  'scim_target removed': async () => ['DELETE', `oidc/clients/${await of.one('oidc_client')}/scim`],
  alert_receiver: async () => [
    'POST',
    'alert-receivers',
    {
      ...{ name: `ops${of.number}`, kind: 'mail', host: `mail${of.number}.lab.example`, sender: 'gc@lab.example' },
      ...{ recipients: ['ops@lab.example'], username: 'gc', password: `${of.words} of ${of.number}` },
    },
  ],
  alert_receiver_secret: async () => [
    'PATCH',
    `alert-receivers/${await of.one('alert_receiver')}`,
    { password: `another of ${of.number}`, severity: of.dice.pick(['warning', 'critical']) },
  ],
  'alert_receiver removed': async () => [
    'DELETE',
    `alert-receivers/${await of.one('alert_receiver', "name LIKE 'ops%'")}`,
  ],
  archive_target: async () => [
    'POST',
    'archives/schedule/targets',
    {
      ...{ name: `backup${of.number}`, kind: 'sftp', host: `backup${of.number}.lab.example`, username: 'groundcrew' },
      ...{ path: 'archives', password: `${of.words} of ${of.number}` },
    },
  ],
  'archive_target removed': async () => [
    'DELETE',
    `archives/schedule/targets/${await of.one('archive_target', "name LIKE 'backup%'")}`,
  ],
});
