// DNS of an archive of schema 2: zones are texts of its settings, and records say what zone they are in by their names.
import { canonicalZone, zoneOf } from '../../../ground/addresses/zone-name.ts';
import { Problem } from '../../../ground/problems.ts';
import { canonicalRecord, type RecordData } from '../../../services/dns-dhcp/dns/record-data.ts';
import { idOf, type SourceRow } from './source-row.ts';
import type { Translation } from './translation.ts';

export function bringNames(translation: Translation): void {
  const settings = translation.settings('dns_settings');
  if (!settings) return;
  const descriptions = settings.texts('domain_descriptions');
  const off = new Set(settings.list('disabled_domains').map(canonicalZone));
  const zones = [...new Set(settings.list('domain').map(canonicalZone))];
  translation.carry(
    'dns_zone',
    zones.map((name) => ({
      id: idOf('zone', name),
      name,
      description: descriptions.get(name) ?? '',
      enabled: !off.has(name),
    })),
  );
  translation.carry('unit_settings', [
    {
      id: 'dns-dhcp',
      document: {
        enabled: settings.flag('enabled', false),
        listen_interfaces: settings.list('listen_interface'),
        upstream_servers: settings.list('upstream_servers'),
        cache_size: settings.whole('cache_size', 1000),
        log_queries: settings.word('query_logging_mode', 'off') !== 'off',
      },
    },
  ]);
  if (settings.list('rebind_domain_exemptions').length > 0)
    translation.leave('dns_settings', 'Exemptions from the rebinding protection have no place here.');
  bringRecords(translation, zones);
}

function bringRecords(translation: Translation, zones: readonly string[]): void {
  const known = new Set<string>();
  const names = new Set(zones);
  for (const row of translation.rows('dns_records')) {
    const record = recordIn(row, zones);
    if (!record) {
      translation.leave('dns_records', 'Their names or values are not such as this program serves.');
      continue;
    }
    const zone = zoneOf(record.fqdn, names) ?? (record.type === 'PTR' ? zoneOf(record.value, names) : null);
    const { fqdn, type, value } = record;
    const id = idOf('rec', fqdn, type, value);
    if (zone === null) translation.leave('dns_records', 'No zone of the file holds their names.');
    else if (known.has(id)) translation.leave('dns_records', 'They say the same as another.');
    else {
      known.add(id);
      const owner = { owner_source: null, owner_ref: null, owner_component: null };
      const enabled = row.flag('enabled', true);
      const description = row.text('description', '');
      translation.carry('dns_record', [
        { id, fqdn, type, value, ...owner, zone_id: idOf('zone', zone), description, enabled },
      ]);
    }
  }
  if (!translation.tables.has('dns_record')) translation.carry('dns_record');
}

/** Null: it is none that could be saved. */
function recordIn(row: SourceRow, zones: readonly string[]): RecordData | null {
  const host = row.text('hostname');
  const fqdn = host.includes('.') || zones.length === 0 ? host : `${host}.${zones[0]}`;
  try {
    const type = row.text('record_type', 'A').toUpperCase();
    const {
      fqdn: name,
      type: kind,
      value,
    } = canonicalRecord({ fqdn, type, value: row.text('address') } as RecordData, 'saved');
    return { fqdn: name, type: kind, value };
  } catch (error) {
    if (error instanceof Problem && error.code === 'request_validation_failed') return null;
    throw error;
  }
}
