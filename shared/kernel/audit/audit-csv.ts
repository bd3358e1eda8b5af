// Audit events as CSV (RFC 4180).
import type { Cell } from '../../ground/csv.ts';
import type { AuditView } from './list.ts';

export const AUDIT_HEAD = [
  'seq',
  'at',
  'actor_kind',
  'actor',
  'action',
  'resource_type',
  'resource_id',
  'outcome',
  'request_id',
  'source_address',
  'detail',
  'hash',
];

export const auditCells = (event: AuditView): Cell[] => [
  event.seq,
  event.at,
  event.actor.kind,
  event.actor.name,
  event.action,
  event.resource.type,
  event.resource.id,
  event.outcome,
  event.request_id,
  event.source_address,
  JSON.stringify(event.detail),
  event.hash,
];
