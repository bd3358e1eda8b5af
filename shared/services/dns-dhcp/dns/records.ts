// DNS records as a collection: their REST side. They have a store of their own: rules compare a record with all others
// (record-standing.ts), a thousand can be saved at once, and some have an owner.
import * as v from 'valibot';
import { anyCase, PAGE_QUERY, pageLimit } from '../../../ground/schemas/component.ts';
import type { Served } from '../../../platform/units/collection.ts';
import { type DnsRecord, recordCreateSchema, recordListSchema, recordSchema, recordUpdateSchema } from '../schemas.ts';
import { RECORD_TYPES } from './record-data.ts';
import { listRecords, RECORD_SORTS } from './record-list.ts';
import { createRecords, deleteRecord, findRecord, updateRecord } from './record-store.ts';

const filter = (what: string, length = 255) =>
  v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(length), v.description(what)));

const facts = ({ fqdn, type, value, enabled }: DnsRecord) => ({ fqdn, type, value, enabled });

export const dnsRecords: Served<DnsRecord> = {
  table: 'dns_record',
  noun: 'record',
  plural: 'records',
  saves: null,
  tag: 'DNS',
  resource: 'dns',
  path: '/api/v1/dns/records',
  param: 'record_id',
  pages: { all: 'dns-records', one: 'dns-record', home: 'dns' },
  listed: { component: 'DnsRecords', noun: 'record', nouns: 'records' },
  action: 'dns.record',
  query: {
    fqdn: filter('Only records of exactly this name, in any case.'),
    zone: filter('Only records of the zone of this name.'),
    type: v.optional(anyCase(RECORD_TYPES, 'Only records of this type; case-insensitive.')),
    value: filter('Only records of exactly this value, in its canonical form.', 4096),
    search: filter('Only records with this text in the name or the value, in any case.'),
    sort: v.optional(
      v.pipe(
        v.picklist(RECORD_SORTS, `Expected one of ${RECORD_SORTS.join(', ')}.`),
        v.description('`-` before the key turns the order around. Values are compared as texts.'),
      ),
    ),
    ...PAGE_QUERY,
  },
  schemas: {
    item: recordSchema,
    list: recordListSchema,
    create: recordCreateSchema,
    update: recordUpdateSchema,
  },
  title: ({ fqdn, type }) => `${fqdn} ${type}`,
  verbs: {
    list: ({ db, query }) => listRecords(db, { ...query, limit: pageLimit(query.limit) }),
    find: ({ db, params }) => findRecord(db, params.record_id!),
    async create({ tx, services, body }) {
      const [record] = await createRecords(tx, services, [body]);
      return { item: record!, detail: facts(record!) };
    },
    async update({ tx, services, params, body, request }) {
      const saved = await updateRecord(tx, services, params.record_id!, body, request.if_match);
      const { record: item, before, changed } = saved;
      const was = { fqdn: before.fqdn, value: before.value };
      return { item, detail: { ...facts(item), changed, ...(changed.length > 0 && { was }) } };
    },
    async remove({ tx, params, request }) {
      const item = await deleteRecord(tx, params.record_id!, request.if_match);
      const { fqdn, type, value, owner } = item;
      return { item, detail: { fqdn, type, value, owner } };
    },
  },
};
