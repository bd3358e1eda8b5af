// A house, a fake appliance that it may connect to, and the ways of a wizard up to its own steps.
import { startVcfAppliance, type VcfAppliance, type VcfApplianceOptions } from '../fakes/vcf-appliance.ts';
import type { Credentials, House } from './house.ts';
import { Walk } from './wizard-walk.ts';

export const IMPORT = '/ui/management/vaults/import';
export const TRUST = '/ui/management/vcf-helper/certificate-trust';

/** Connections to the fakes, which listen on loopback. */
export async function permitLoopback(house: House, { token }: Credentials): Promise<void> {
  const answer = await house.send('PATCH', '/api/v1/remote/settings', {
    token,
    body: { allowed_networks: ['127.0.0.0/8'] },
  });
  if (answer.status !== 200) throw new Error(answer.text);
}

export const manager = (options: Partial<VcfApplianceOptions> = {}): Promise<VcfAppliance> =>
  startVcfAppliance({ role: 'SddcManager', version: '9.1.0.0.25000000', hosts: 2, ...options });

export const serverOf = ({ host, port }: VcfAppliance): string => `${host}:${port}`;

/** To the TLS step, with a typed login. */
export async function toTls(house: House, who: Credentials, path: string, fake: VcfAppliance): Promise<Walk> {
  const walk = await new Walk(house, who).open(path);
  if (walk.step === 'credential') await walk.send('Credential', { step: 'server' });
  return walk.send('Server', { server: serverOf(fake) });
}

/** To the login. */
export async function toLogin(house: House, who: Credentials, path: string, fake: VcfAppliance): Promise<Walk> {
  return (await toTls(house, who, path, fake)).send('Fingerprint', { confirm: 'yes' });
}

/** Through the login. */
export async function loggedIn(house: House, who: Credentials, path: string, fake: VcfAppliance): Promise<Walk> {
  return (await toLogin(house, who, path, fake)).send('Login', fake.account);
}

/** A vault with one usable key for the fake; answers what the picker's fields hold. */
export async function stored(
  house: House,
  { token }: Credentials,
  fake: VcfAppliance,
  name: string,
): Promise<{ vault_id: string; choice_id: string; entry_id: string }> {
  const vault = await house.send('POST', '/api/v1/vaults', { token, body: { name } });
  const entries = `/api/v1/vaults/${vault.body.id}/entries`;
  const { username, password: value } = fake.account;
  const body = {
    key: 'sddc.admin',
    username,
    value,
    uris: [`https://${serverOf(fake)}`, 'https://elsewhere.lab.test'],
  };
  const entry = await house.send('POST', entries, { token, body });
  const choices = await house.send('GET', `/api/v1/vaults/${vault.body.id}/credentials`, { token });
  return { vault_id: vault.body.id, choice_id: choices.body.items[0].choice_id, entry_id: entry.body.id };
}
