// Whether a host can install its Kickstart and medium: both exist and are in use, and the host has every value that the
// text needs. So every applied text can be rendered.

import { type FieldError, invalid } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import { type HostField, missingFor } from './kickstart-text.ts';

interface Installing {
  hostname: string;
  ip_address: string;
  kickstart_id: string | null;
  media_id: string | null;
  variable_names: readonly string[];
}

const GIVEN = `SELECT k.enabled AS kickstart_enabled, k.host_fields, k.variables, m.enabled AS medium_enabled, m.state
  FROM (SELECT 1) LEFT JOIN network_boot_kickstart k ON k.id = ? LEFT JOIN network_boot_medium m ON m.id = ?`;

interface Given {
  kickstart_enabled: number | null;
  host_fields: string | null;
  variables: string | null;
  medium_enabled: number | null;
  state: string | null;
}

/**
 * @throws Problem 422 at the member that is missing or can't be used. Members that did not change are not checked
 * again.
 */
export async function refuseUnfit(tx: Database, host: Installing, before: Installing | null): Promise<void> {
  if (host.kickstart_id === null && host.media_id === null) return;
  const given = (await tx.one<Given>(GIVEN, [host.kickstart_id, host.media_id]))!;
  const errors = [...kickstartFaults(host, before, given), ...mediumFaults(host, before, given)];
  if (errors.length > 0) throw invalid(...errors);
}

function kickstartFaults(host: Installing, before: Installing | null, given: Given): FieldError[] {
  if (host.kickstart_id === null) return [];
  if (given.host_fields === null || given.variables === null) {
    return [{ pointer: '/kickstart_id', detail: 'There is no such Kickstart.' }];
  }
  if (given.kickstart_enabled !== 1 && host.kickstart_id !== before?.kickstart_id) {
    return [{ pointer: '/kickstart_id', detail: 'This Kickstart is not in use.' }];
  }
  const uses = {
    host_fields: JSON.parse(given.host_fields) as HostField[],
    variables: JSON.parse(given.variables) as string[],
  };
  const missing = missingFor(uses, host);
  return [
    ...missing.fields.map((field) => ({
      pointer: field === 'domain' ? '/hostname' : `/${field}`,
      detail: `The Kickstart uses {{ host.${field} }}, which this host does not have.`,
    })),
    ...(missing.variables.length === 0
      ? []
      : [{ pointer: '/variables', detail: `The Kickstart uses ${missing.variables.join(', ')}, which has no value.` }]),
  ];
}

function mediumFaults(host: Installing, before: Installing | null, given: Given): FieldError[] {
  if (host.media_id === null) return [];
  if (given.state === null) return [{ pointer: '/media_id', detail: 'There is no such installer medium.' }];
  if (host.media_id === before?.media_id) return [];
  if (given.medium_enabled !== 1) return [{ pointer: '/media_id', detail: 'This installer medium is not in use.' }];
  return given.state === 'ready' ? [] : [{ pointer: '/media_id', detail: 'This installer medium is not ready.' }];
}
