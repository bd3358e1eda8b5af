// Interfaces and VLANs.
import type { Scenarios, Scene } from './scenario.ts';

const NIC = '/api/v1/interfaces/physical/ens224';

async function trunk(scene: Scene) {
  await scene.api('PATCH', NIC, { mode: 'trunk', enabled: true });
  const n = scene.next();
  return {
    parent_interface: 'ens224',
    number: String(100 + n),
    ipv4_cidr: `10.${20 + Math.floor(n / 250)}.${n % 250}.1/24`,
  };
}

async function vlan(scene: Scene) {
  const { parent_interface, number, ipv4_cidr } = await trunk(scene);
  const { body } = await scene.api('POST', '/api/v1/vlans', {
    parent_interface,
    vlan_id: Number(number),
    ipv4_cidr,
    role: 'route',
  });
  return { vlan_id: body.id as string, revision: String(body.revision), number, ipv4_cidr };
}

async function nic(scene: Scene) {
  const { body } = await scene.api('GET', '/api/v1/interfaces/physical/ens256');
  return { name: 'ens256', revision: String(body.revision), mtu: String(1500 + scene.next()) };
}

/** It also asks for rules of the firewall. */
const FORGETS = { statements: 8 };

/** An interface whose adapter was taken out. */
async function gone(scene: Scene) {
  const name = `gone${scene.next()}`;
  await scene.house.services.store.write((tx) =>
    tx.run(
      `INSERT INTO interface (name, id, kind, present, mac_address, role, revision, updated_at)
       VALUES (?1, ?1, 'physical', 0, '', 'unused', 1, '2026-01-01T00:00:00.000Z')`,
      [name],
    ),
  );
  return { name, revision: '1' };
}

export const NETWORK: Scenarios = {
  refreshInterfaces: { audit: ['network.interface.refresh'] },
  refreshInterfacesForm: { audit: ['network.interface.refresh'] },
  getPhysicalInterface: { given: nic },
  interfaceEditPage: { given: nic },
  updatePhysicalInterface: {
    given: nic,
    audit: ['network.interface.update'],
  },
  updatePhysicalInterfaceForm: {
    given: nic,
    send: ({ mtu, revision }) => ({ form: { role: 'unused', mode: 'access', mtu: mtu!, revision: revision! } }),
    audit: ['network.interface.update'],
  },
  deletePhysicalInterface: { given: gone, status: 204, dry: 200, audit: ['network.interface.delete'], ...FORGETS },
  deletePhysicalInterfaceForm: {
    ...FORGETS,
    given: gone,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['network.interface.delete'],
  },
  interfaceDeletePage: { given: gone },

  createVlan: {
    given: trunk,
    audit: ['network.vlan.create'],
  },
  createVlanForm: {
    given: trunk,
    send: ({ parent_interface, number, ipv4_cidr }) => ({
      form: {
        parent_interface: parent_interface!,
        vlan_id: number!,
        role: 'route',
        mtu: '',
        ipv4_cidr: ipv4_cidr!,
        ipv6_cidr: '',
        enabled: 'on',
      },
    }),
    audit: ['network.vlan.create'],
  },
  getVlan: { given: vlan },
  updateVlan: { given: vlan, audit: ['network.vlan.update'] },
  updateVlanForm: {
    given: vlan,
    send: ({ revision, ipv4_cidr }) => ({
      form: {
        role: 'route',
        mtu: '1400',
        ipv4_cidr: ipv4_cidr!,
        ipv6_cidr: '',
        enabled: 'on',
        enabled_was: 'on',
        revision: revision!,
      },
    }),
    audit: ['network.vlan.update'],
  },
  deleteVlan: { given: vlan, status: 204, dry: 200, audit: ['network.vlan.delete'] },
  deleteVlanForm: {
    given: vlan,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['network.vlan.delete'],
  },
  vlanEditPage: { given: vlan },
  vlanDeletePage: { given: vlan },
};
