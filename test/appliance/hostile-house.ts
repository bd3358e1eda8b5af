// The appliance that somebody has taken over: something of everything that a file is made from, and what is done to it.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { furnishDhcp } from '../setup/furnish-dhcp.ts';
import { furnishUnits } from '../setup/furnish-units.ts';
import { House } from '../setup/house.ts';
import type { Material } from './attack.ts';
import { hostileInputs, type Surroundings } from './hostile.ts';

/**
 * Writes an ordinary database to `folder`, and answers it with what is hostile, a text at each `every`th place only.
 * `surroundings`: what the root step that is attacked is started with.
 */
export async function makeMaterial(folder: string, surroundings: Surroundings, every = 1): Promise<Material> {
  const house = await House.open();
  try {
    await furnish(house);
    const database = join(folder, 'ordinary.sqlite');
    const source = new DatabaseSync(join(house.data, 'groundcrew.sqlite'));
    source.exec(`VACUUM INTO '${database}'`);
    source.close();
    return { database, inputs: await hostileInputs(house.services.store, surroundings, every) };
  } finally {
    await house.close();
  }
}

async function furnish(house: House): Promise<void> {
  const { token } = await house.actor();
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  const call = async (method: string, path: string, body?: unknown): Promise<any> => {
    const heard = await house.send(method, path, { token, body });
    if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.status} ${heard.text}`);
    return heard.body;
  };
  const access = { role: 'access', ipv4_cidr: '192.168.10.2/24', enabled: true };
  await call('PATCH', '/api/v1/interfaces/physical/ens224', access);
  await call('PATCH', '/api/v1/interfaces/physical/ens256', { mode: 'trunk', enabled: true });
  for (const id of [20, 30])
    await call('POST', '/api/v1/vlans', { parent_interface: 'ens256', vlan_id: id, ipv4_cidr: `172.16.${id}.2/24` });
  await call('PATCH', '/api/v1/dns-dhcp/settings', { enabled: true, listen_interfaces: ['ens224', 'ens256.20'] });
  await call('POST', '/api/v1/dns/zones', { name: 'lab.example' });
  const records = [
    ['vc01.lab.example', 'A', '172.16.20.10'],
    ['vcenter.lab.example', 'CNAME', 'vc01.lab.example'],
    ['_ldap._tcp.lab.example', 'SRV', '0 10 389 vc01.lab.example'],
    ['lab.example', 'MX', '10 vc01.lab.example'],
    ['lab.example', 'TXT', 'v=spf1 -all'],
    ['lab.example', 'CAA', '0 issue "ca.lab.example"'],
  ].map(([fqdn, type, value]) => ({ fqdn, type, value }));
  await call('POST', '/api/v1/dns/records/bulk', { records });
  await furnishDhcp(call);
  await furnishUnits(call);
}
