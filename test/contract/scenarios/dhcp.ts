// DHCP scopes, options, reservations and the legacy binding: all switched off, so that scenes never stand in each
// other's way.
import type { Scenarios, Scene } from './scenario.ts';

async function scope(scene: Scene) {
  const n = scene.next();
  const { body } = await scene.api('POST', '/api/v1/dhcp/scopes', {
    name: `lab ${n}`,
    subnet_cidr: `10.77.${n % 250}.0/24`,
    enabled: false,
  });
  return { scope_id: body.id as string, name: `lab ${n}`, revision: String(body.revision), n: String(n) };
}

async function option(scene: Scene) {
  const { scope_id } = await scope(scene);
  const { body } = await scene.api('POST', '/api/v1/dhcp/options', { scope_id, code: 66, value: 'tftp.lab.test' });
  return { scope_id, option_id: body.id as string, revision: String(body.revision) };
}

const mac = (n: number): string =>
  `00:50:56:77:${(n >> 8).toString(16).padStart(2, '0')}:${(n & 255).toString(16).padStart(2, '0')}`;

async function card(scene: Scene) {
  const n = scene.next();
  return { hostname: `esx${n}`, mac: mac(n), ip: `10.78.${Math.floor(n / 250)}.${(n % 250) + 1}` };
}

async function reservation(scene: Scene) {
  const { hostname, mac: mac_address, ip: ip_address } = await card(scene);
  const draft = { hostname, mac_address, ip_address, enabled: false };
  const { body } = await scene.api('POST', '/api/v1/dhcp/reservations', draft);
  return {
    hostname,
    mac: mac_address,
    ip: ip_address,
    reservation_id: body.id as string,
    revision: String(body.revision),
  };
}

async function binding(scene: Scene) {
  const { body } = await scene.api('GET', '/api/v1/dhcp/legacy-binding');
  return { revision: String(body.revision), lease: String(600 + scene.next()) };
}

const subnet = { interface: '', ranges: '', gateway: '', dns_servers: '', ntp_servers: '', domain: '' };

export const DHCP: Scenarios = {
  createDhcpScope: {
    given: async (scene) => ({ n: String(scene.next()) }),
    audit: ['dhcp.scope.create'],
  },
  createDhcpScopeForm: {
    given: async (scene) => ({ n: String(scene.next()) }),
    send: ({ n }) => ({
      form: {
        ...subnet,
        name: `form ${n}`,
        subnet_cidr: `10.79.${Number(n) % 250}.0/24`,
        lease_time: '',
        description: '',
      },
    }),
    audit: ['dhcp.scope.create'],
  },
  getDhcpScope: { given: scope },
  updateDhcpScope: {
    given: scope,
    audit: ['dhcp.scope.update'],
    statements: 7,
  },
  updateDhcpScopeForm: {
    given: scope,
    send: ({ name, n, revision }) => ({
      form: {
        ...subnet,
        name: name!,
        subnet_cidr: `10.77.${Number(n) % 250}.0/24`,
        ranges: `10.77.${Number(n) % 250}.10-10.77.${Number(n) % 250}.99`,
        lease_time: '600',
        description: '',
        revision: revision!,
      },
    }),
    audit: ['dhcp.scope.update'],
  },
  deleteDhcpScope: { given: scope, audit: ['dhcp.scope.delete'] },
  deleteDhcpScopeForm: {
    given: scope,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['dhcp.scope.delete'],
  },

  createDhcpOption: {
    given: scope,
    audit: ['dhcp.option.create'],
  },
  createDhcpOptionForm: {
    given: scope,
    send: ({ scope_id }) => ({
      form: { scope_id: scope_id!, address_family: '', code: '67', value: 'mboot.efi', description: '', enabled: 'on' },
    }),
    audit: ['dhcp.option.create'],
  },
  getDhcpOption: { given: option },
  updateDhcpOption: {
    given: option,
    audit: ['dhcp.option.update'],
    statements: 7,
  },
  updateDhcpOptionForm: {
    given: option,
    send: ({ scope_id, revision }) => ({
      form: {
        scope_id: scope_id!,
        address_family: 'ipv4',
        code: '66',
        value: 'boot.lab.test',
        description: '',
        enabled: 'on',
        revision: revision!,
      },
    }),
    audit: ['dhcp.option.update'],
  },
  deleteDhcpOption: { given: option, audit: ['dhcp.option.delete'] },
  deleteDhcpOptionForm: {
    given: option,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['dhcp.option.delete'],
  },

  createDhcpReservation: {
    given: card,
    audit: ['dhcp.reservation.create'],
  },
  createDhcpReservationForm: {
    given: card,
    send: ({ hostname, mac, ip }) => ({
      form: { hostname: hostname!, mac_address: mac!, ip_address: ip!, description: '' },
    }),
    audit: ['dhcp.reservation.create'],
  },
  getDhcpReservation: { given: reservation },
  updateDhcpReservation: {
    given: reservation,
    audit: ['dhcp.reservation.update'],
  },
  updateDhcpReservationForm: {
    given: reservation,
    send: ({ mac, ip, revision }) => ({
      form: { hostname: 'esx-renamed', mac_address: mac!, ip_address: ip!, description: '', revision: revision! },
    }),
    audit: ['dhcp.reservation.update'],
  },
  switchDhcpReservations: {
    given: reservation,
    audit: ['dhcp.reservation.switch_many'],
  },
  switchDhcpReservationsForm: {
    given: reservation,
    send: ({ reservation_id }) => ({ form: { ids: reservation_id!, enabled: 'false' } }),
    audit: ['dhcp.reservation.switch_many'],
  },
  deleteDhcpReservations: {
    given: reservation,
    audit: ['dhcp.reservation.delete_many'],
  },
  deleteDhcpReservationsForm: {
    given: reservation,
    send: ({ reservation_id }) => ({ form: { ids: reservation_id!, confirm: 'on' } }),
    audit: ['dhcp.reservation.delete_many'],
  },
  deleteDhcpReservation: { given: reservation, audit: ['dhcp.reservation.delete'] },
  deleteDhcpReservationForm: {
    given: reservation,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['dhcp.reservation.delete'],
  },

  updateDhcpLegacyBinding: {
    given: binding,
    audit: ['dhcp.legacy-binding.update'],
    statements: 7,
  },
  updateDhcpLegacyBindingForm: {
    given: binding,
    send: ({ lease, revision }) => ({
      form: { ...subnet, subnet_cidr: '', lease_time: lease!, revision: revision! },
    }),
    audit: ['dhcp.legacy-binding.update'],
  },
  dhcpScopePage: { given: scope },
  deleteDhcpScopePage: { given: scope },
  dhcpOptionPage: { given: option },
  deleteDhcpOptionPage: { given: option },
  dhcpReservationPage: { given: reservation },
  deleteDhcpReservationPage: { given: reservation },
};
