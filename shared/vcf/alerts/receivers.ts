// Receivers as a collection: their REST side. They have a store of their own: a secret is sealed in the transaction that stores
// it, and no answer contains it.
import { PAGE_QUERY, pageLimit } from '../../ground/schemas/component.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Served } from '../../platform/units/collection.ts';
import { webhookUrl } from './place-members.ts';
import { type MailPlace, placeWords, type Receiver, type SyslogPlace, type WebhookPlace } from './receiver.ts';
import { receiverCreateSchema, receiverListSchema, receiverSchema, receiverUpdateSchema } from './receiver-schemas.ts';
import { createReceiver, findReceiver, listReceivers, removeReceiver, updateReceiver } from './receiver-store.ts';

export const ALERTS_TAG = 'Alerts';
export const ALERTS_PATH = '/api/v1/alerts';
// Not below the alerts: `alerts/receivers/{receiver_id}` and `alerts/{alert_id}/acknowledge` could be one path.
export const RECEIVERS_PATH = '/api/v1/alert-receivers';
export const RULES_PATH = '/api/v1/alert-rules';

/** As answers have it: members of all kinds side by side. */
export type ReceiverItem = Omit<Receiver, 'place'> & {
  url: string | null;
  host: string;
  port: number;
  security: MailPlace['security'] | null;
  username: string | null;
  sender: string | null;
  recipients: string[] | null;
  facility: SyslogPlace['facility'] | null;
};

export function receiverItem({ place, ...head }: Receiver): ReceiverItem {
  const { host, port } = place;
  const mail = head.kind === 'mail' ? (place as MailPlace) : null;
  return {
    ...head,
    ...{ host, port, url: head.kind === 'webhook' ? webhookUrl(place as WebhookPlace) : null },
    security: mail?.security ?? null,
    username: mail?.username ?? null,
    sender: mail?.sender ?? null,
    recipients: mail?.recipients ?? null,
    facility: head.kind === 'syslog' ? (place as SyslogPlace).facility : null,
  };
}

/** For whoever may not change it, its path is left out, as on its page: that of a chat is a secret. */
function seenBy({ scopes }: Pick<Actor, 'scopes'>, receiver: Receiver): ReceiverItem {
  const item = receiverItem(receiver);
  if (item.url === null || scopes.has('write:alerts')) return item;
  return { ...item, url: placeWords(receiver) };
}

const detailOf = (receiver: Receiver) => ({ name: receiver.name, kind: receiver.kind, place: placeWords(receiver) });

export const alertReceivers: Served<ReceiverItem> = {
  table: 'alert_receiver',
  noun: 'receiver',
  plural: 'receivers',
  effect: 'immediate',
  dryRun: true,
  saves: null,
  tag: ALERTS_TAG,
  resource: 'alerts',
  path: RECEIVERS_PATH,
  param: 'receiver_id',
  pages: { all: 'alert-receivers', one: 'alert-receiver', home: 'alert-receivers' },
  action: 'alert.receiver',
  query: PAGE_QUERY,
  live: true,
  schemas: {
    item: receiverSchema,
    list: receiverListSchema,
    create: receiverCreateSchema,
    update: receiverUpdateSchema,
  },
  title: ({ name }) => name,
  verbs: {
    async list({ db, actor, query }) {
      const page = await listReceivers(db, { cursor: query.cursor, limit: pageLimit(query.limit) });
      return { ...page, items: page.items.map((receiver) => seenBy(actor, receiver)) };
    },
    find: async ({ db, actor, params }) => seenBy(actor, await findReceiver(db, params.receiver_id!)),
    async create({ tx, services, body }) {
      const receiver = await createReceiver(tx, services, body);
      return { item: receiverItem(receiver), detail: detailOf(receiver) };
    },
    async update({ tx, services, params, body, request }) {
      const { receiver, changed } = await updateReceiver(tx, services, params.receiver_id!, body, request.if_match);
      return { item: receiverItem(receiver), detail: { ...detailOf(receiver), changed } };
    },
    async remove({ tx, params, request }) {
      const receiver = await removeReceiver(tx, params.receiver_id!, request.if_match);
      return { item: receiverItem(receiver), detail: detailOf(receiver) };
    },
  },
};
