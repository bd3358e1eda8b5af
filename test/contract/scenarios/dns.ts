// Zones, records and the settings of the name service.
import type { Scenarios, Scene } from './scenario.ts';

async function zone(scene: Scene) {
  const zone = `lab${scene.next()}.test`;
  const { body } = await scene.api('POST', '/api/v1/dns/zones', { name: zone });
  return { zone, zone_id: body.id as string, revision: String(body.revision) };
}

async function record(scene: Scene) {
  const { zone: name, zone_id } = await zone(scene);
  const fqdn = `vc01.${name}`;
  const { body } = await scene.api('POST', '/api/v1/dns/records', { fqdn, type: 'A', value: '10.10.0.10' });
  return { zone: name, zone_id, fqdn, record_id: body.id as string, revision: String(body.revision) };
}

async function settings(scene: Scene) {
  const { body } = await scene.api('GET', '/api/v1/dns-dhcp/settings');
  return { revision: String(body.revision), ttl: String(300 + scene.next()) };
}

async function refusedImport({ house, admin }: Scene) {
  const { body } = await house.send('POST', '/api/v1/dns/records/import', {
    token: admin.token,
    raw: '[{"fqdn":"a.nowhere.example","type":"A","value":"10.10.0.14"}]',
    headers: { 'content-type': 'application/json' },
  });
  await house.appliance.runner.idle();
  return { job_id: body.job_id as string };
}

async function previewed(scene: Scene) {
  const given = await zone(scene);
  const csv = 'a A 10.10.0.13\nb CNAME a\n';
  const form = { csv, dry_run: 'true' };
  const page = `/ui/management/dns/zones/${given.zone_id}/import`;
  const { text } = await scene.house.send('POST', page, { session: scene.admin, form });
  return { ...given, csv, digest: /name="previewed" value="([0-9a-f]{64})"/.exec(text)![1]! };
}

export const DNS: Scenarios = {
  createDnsZone: {
    given: async (scene) => ({ zone: `new${scene.next()}.test` }),
    audit: ['dns.zone.create'],
    statements: 8,
  },
  createDnsZoneForm: {
    given: async (scene) => ({ zone: `new${scene.next()}.test` }),
    send: ({ zone }) => ({ form: { name: zone!, description: 'Lab', enabled: 'on' } }),
    audit: ['dns.zone.create'],
    statements: 8,
  },
  getDnsZone: { given: zone },
  updateDnsZone: { given: zone, audit: ['dns.zone.update'] },
  updateDnsZoneForm: {
    given: zone,
    send: ({ revision }) => ({ form: { description: 'Lab', enabled: 'on', revision: revision! } }),
    audit: ['dns.zone.update'],
  },
  deleteDnsZone: { given: zone, audit: ['dns.zone.delete'], statements: 8 },
  deleteDnsZoneForm: {
    given: zone,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['dns.zone.delete'],
    statements: 8,
  },
  downloadDnsRecords: { given: record },

  createDnsRecord: {
    given: zone,
    audit: ['dns.record.create'],
    statements: 9,
  },
  createDnsRecordForm: {
    given: zone,
    send: ({ zone }) => ({
      form: { fqdn: 'esx01', zone: zone!, type: 'A', value: '10.10.0.11', description: '', enabled: 'on' },
    }),
    audit: ['dns.record.create'],
    statements: 9,
  },
  createDnsRecords: {
    given: zone,
    audit: ['dns.record.create_many'],
    statements: 10,
  },
  importDnsRecordsForm: {
    given: previewed,
    send: ({ csv, digest }) => ({ form: { csv: csv!, previewed: digest! } }),
    audit: ['dns.record.create_many'],
    statements: 10,
  },
  importDnsRecords: {
    given: zone,
    query: '?check_only=true',
    send: ({ zone }) => ({
      raw: `fqdn,type,value\na.${zone},A,10.10.0.14\n`,
      headers: { 'content-type': 'text/csv' },
    }),
    audit: ['dns.record.queue_import'],
    after: ({ house }) => house.appliance.runner.idle(),
    statements: 12,
  },
  downloadRefusedDnsRows: { given: refusedImport },
  getDnsRecord: { given: record },
  updateDnsRecord: {
    given: record,
    audit: ['dns.record.update'],
    statements: 9,
  },
  updateDnsRecordForm: {
    given: record,
    send: ({ fqdn, revision }) => ({
      form: { fqdn: fqdn!, value: '10.10.0.20', description: '', enabled: 'on', revision: revision! },
    }),
    audit: ['dns.record.update'],
    statements: 9,
  },
  deleteDnsRecord: { given: record, audit: ['dns.record.delete'] },
  deleteDnsRecordForm: {
    given: record,
    send: ({ zone_id, revision }) => ({ form: { zone_id: zone_id!, revision: revision! } }),
    audit: ['dns.record.delete'],
  },

  updateDnsDhcpSettings: {
    given: settings,
    audit: ['dns-dhcp.settings.update'],
    statements: 7,
  },
  updateDnsDhcpSettingsForm: {
    given: settings,
    send: ({ ttl, revision }) => ({
      form: {
        listen_interfaces: [],
        upstream_servers: '',
        ttl_seconds: ttl!,
        cache_size: '1000',
        domain: '',
        revision: revision!,
      },
    }),
    audit: ['dns-dhcp.settings.update'],
    statements: 7,
  },

  dnsZonePage: { given: record },
  importDnsRecordsPage: { given: zone },
  dnsRecordPage: { given: record },
  deleteDnsZonePage: { given: record },
  deleteDnsRecordPage: { given: record },
};
