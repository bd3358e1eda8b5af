// Every form of something saved, sent by two people who opened it at once: what each of them changed is kept, the second
// is told, and nothing that was not touched is sent back. As a browser without script sends them.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Furnished, furnish } from '../setup/furnish.ts';
import { type Credentials, House, PASSWORD } from '../setup/house.ts';

let house: House;
let admin: Credentials;
let colleague: Credentials;
let things: Furnished;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin', undefined, 'ada');
  colleague = await house.actor('admin', undefined, 'bert');
  things = await furnish(house, admin);
}, 300_000);
afterAll(() => house.close());

type Fields = Map<string, string[]>;

const plain = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}(?:="([^"]*)")?(?=[\\s/>])`).exec(tag);
  return found ? plain(found[1] ?? '') : undefined;
};

/** The form that says what it was opened with: its address, and what a browser would send of it. */
function formIn(html: string): { action: string; fields: Fields } {
  const form = [...html.matchAll(/<form\b[^>]*>.*?<\/form>/gs)]
    .map(([whole]) => whole)
    .find((text) => text.includes('name="opened"'));
  if (!form) throw new Error('No form of something saved.');
  const fields: Fields = new Map();
  const add = (name: string, value: string) => fields.set(name, [...(fields.get(name) ?? []), value]);
  for (const [tag, name, inner] of form.matchAll(/<(?:input\b[^>]*>|(textarea|select)\b[^>]*>(.*?)<\/\1>)/gs)) {
    const field = attribute(tag.replace(/>.*$/s, '>'), 'name');
    if (field === undefined) continue;
    if (name === 'textarea') add(field, plain(inner!).replace(/^\n/, ''));
    else if (name === 'select') {
      const options = [...inner!.matchAll(/<option\b[^>]*>/g)].map(([option]) => option);
      const chosen = options.find((option) => attribute(option, 'selected') !== undefined) ?? options[0];
      if (chosen) add(field, attribute(chosen, 'value') ?? '');
    } else if (!/^(?:checkbox|radio)$/.test(attribute(tag, 'type') ?? '') || attribute(tag, 'checked') !== undefined) {
      add(field, attribute(tag, 'value') ?? '');
    }
  }
  fields.delete('csrf');
  return { action: attribute(/^<form[^>]*>/.exec(form)![0], 'action') ?? '', fields };
}

const open = async (path: string, as: Credentials) => {
  const { status, text } = await house.send('GET', path, { session: as });
  expect(status).toBe(200);
  return formIn(text);
};
const post = (action: string, as: Credentials, fields: Fields, changes: Record<string, string>) =>
  house.send('POST', action, {
    session: as,
    form: { ...Object.fromEntries(fields), ...(fields.has('own_password') && { own_password: PASSWORD }), ...changes },
  });

const FORMS: [template: string, theirs: Record<string, string>, mine: Record<string, string>][] = [
  ['/dns/records/{record_id}', { description: 'Theirs' }, { value: '172.16.20.99' }],
  ['/dns/zones/{zone_id}', { description: 'Theirs' }, {}],
  ['/dns/settings', { ttl_seconds: '301' }, { cache_size: '1001' }],
  ['/dhcp/scopes/{scope_id}', { description: 'Theirs' }, { lease_time: '4000' }],
  ['/dhcp/reservations/{reservation_id}', { description: 'Theirs' }, { mac_address: '00:50:56:0a:14:99' }],
  ['/dhcp/options/{option_id}', { description: 'Theirs' }, { value: '172.16.20.3' }],
  ['/dhcp/settings', { lease_time: '4001' }, {}],
  ['/firewall/rules/{rule_id}', { description: 'Theirs' }, { ports: '2222' }],
  ['/firewall/settings', { log_denied: 'true' }, { management_networks: '' }],
  ['/ntp/sources/{source_id}', { description: 'Theirs' }, { address: 'time9.lab.example' }],
  ['/ntp/settings', { minimum_sources: '2' }, { local_stratum: '9' }],
  ['/certificate-authority/settings', { organization: 'Theirs' }, { certificate_validity_days: '100' }],
  ['/kms/settings', { hostname: 'kms2.lab.example' }, { port: '5697' }],
  ['/ldap/settings', { hostname: 'ldap.lab.example' }, { ldaps_port: '637' }],
  ['/ldap/organizations/{organization_id}', { description: 'Theirs' }, {}],
  ['/ldap/users/{directory_user_id}', { description: 'Theirs' }, { surname: 'Byron' }],
  ['/ldap/groups/{group_id}', { description: 'Theirs' }, { member_users: '' }],
  ['/ldap/bind-accounts/{bind_account_id}', { description: 'Theirs' }, {}],
  ['/oidc', { hostname: 'id2.corp.example' }, { code_seconds: '61' }],
  ['/web-terminal', { sessions: '5' }, { idle_minutes: '16' }],
  ['/settings', { hostname: 'gc02.lab.example' }, { dns_servers: '10.10.0.53' }],
  ['/settings/remote', { allowed_networks: '10.0.0.1/32' }, {}],
  ['/offline-depot/settings', { hostname: 'depot2.lab.example' }, { port: '8443' }],
  ['/network-boot/settings', { hostname: 'boot2.lab.example' }, { http_port: '8082' }],
  ['/network-boot/hosts/{host_id}', { description: 'Theirs' }, { hostname: 'esx19.lab.example' }],
  ['/network-boot/media/{medium_id}', { description: 'Theirs' }, { name: 'ESXi 9' }],
  ['/network-boot/kickstarts/{kickstart_id}', { description: 'Theirs' }, { name: 'Renamed' }],
  ['/storage/settings', { hostname: 'nfs.lab.example' }, {}],
  ['/storage/volumes/{volume_id}', { description: 'Theirs' }, { name: 'nvme9' }],
  ['/storage/datastores/{datastore_id}', { description: 'Theirs' }, { name: 'lab-nfs-09' }],
  ['/interfaces/{name}', { mtu: '1400' }, { ipv4_cidr: '192.168.10.3/24' }],
  ['/vlans/{vlan_id}', { mtu: '1400' }, { ipv4_cidr: '172.16.31.3/24' }],
  ['/vaults/{vault_id}/edit', { description: 'Theirs' }, { name: 'site-z' }],
  ['/vaults/{vault_id}/entries/{entry_id}', { description: 'Theirs' }, { username: 'ops' }],
  ['/users/{user_id}', { role: 'viewer' }, {}],
];

test.each(FORMS)('%s', async (template, theirs, mine) => {
  const path = `/ui/management${template}`.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => things.parameters[name]!);
  const [first, second] = [await open(path, colleague), await open(path, admin)];
  const sent = await post(first.action, colleague, first.fields, theirs);
  expect([sent.status, sent.text.slice(0, 0)]).toEqual([303, '']);
  const late = await post(second.action, admin, second.fields, mine);
  expect(late.status).toBe(412);
  // Only what they changed: nothing here collides.
  expect(late.text).not.toContain('Changed by both');
  const merged = formIn(late.text);
  for (const [name, value] of Object.entries({ ...theirs, ...mine }))
    expect([name, merged.fields.get(name)]).toEqual([name, [value]]);
  const again = await post(merged.action, admin, merged.fields, {});
  expect([again.status, again.status === 303 ? '' : again.text]).toEqual([303, '']);
  const { fields } = await open(path.replace('site-a', 'site-z'), admin);
  for (const [name, value] of Object.entries({ ...theirs, ...mine }))
    expect([name, fields.get(name)]).toEqual([name, [value]]);
});
