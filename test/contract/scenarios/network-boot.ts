// ESXi hosts of network boot, with an address in a DHCP scope.
import type { Scenarios, Scene } from './scenario.ts';

const HOSTS = '/api/v1/network-boot/esxi-hosts';
const SCOPES = '/api/v1/dhcp/scopes';

/** The scope of the management network, which other scenarios may have made before. */
async function scope(scene: Scene): Promise<void> {
  const subnet_cidr = '10.10.0.0/24';
  const { body } = await scene.api('GET', `${SCOPES}?interface=ens192&enabled=true`);
  if (body.items.some((each: { subnet_cidr: string }) => each.subnet_cidr === subnet_cidr)) return;
  const name = `management ${scene.next()}`;
  await scene.api('POST', SCOPES, { name, address_family: 'ipv4', interface: 'ens192', subnet_cidr, ranges: [] });
}

/** The network has fewer addresses than a house gives out numbers. */
let addresses = 0;

async function fresh(scene: Scene) {
  await scope(scene);
  const n = scene.next();
  const last = (n % 256).toString(16).padStart(2, '0');
  return {
    hostname: `esx${n}`,
    mac_address: `00:50:56:0b:${Math.floor(n / 256)}0:${last}`,
    ip_address: `10.10.0.${50 + (addresses++ % 200)}`,
  };
}

async function host(scene: Scene) {
  const facts = await fresh(scene);
  const { body } = await scene.api('POST', HOSTS, facts);
  return { ...facts, host_id: body.id as string, revision: String(body.revision) };
}

/** What the DHCP reservation takes that is kept for the host. */
const statements = 9;

export const NETWORK_BOOT: Scenarios = {
  createEsxiHost: {
    given: fresh,
    audit: ['network-boot.host.create'],
    statements,
  },
  createEsxiHostForm: {
    given: fresh,
    send: ({ hostname, mac_address, ip_address }) => ({
      form: { hostname: hostname!, mac_address: mac_address!, ip_address: ip_address!, enabled: 'on' },
    }),
    audit: ['network-boot.host.create'],
    statements,
  },
  getEsxiHost: { given: host },
  updateEsxiHost: {
    given: host,
    audit: ['network-boot.host.update'],
    statements,
  },
  updateEsxiHostForm: {
    given: host,
    send: ({ hostname, mac_address, revision }) => ({
      form: {
        hostname: hostname!,
        mac_address: mac_address!,
        ip_address: '',
        enabled: 'on',
        revision: revision!,
      },
    }),
    audit: ['network-boot.host.update'],
    statements,
  },
  deleteEsxiHost: { given: host, audit: ['network-boot.host.delete'], statements },
  deleteEsxiHostForm: {
    given: host,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['network-boot.host.delete'],
    statements,
  },

  esxiHostPage: { given: host },
  deleteEsxiHostPage: { given: host },
};
