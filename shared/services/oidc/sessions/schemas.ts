// Schemas of sessions: of a user, here and at the provider; and those of everybody at the provider.
import * as v from 'valibot';
import {
  component,
  described,
  idSchema,
  instantSchema,
  listOf,
  PAGE_QUERY,
  text,
} from '../../../ground/schemas/component.ts';
import { endedSessionsEntries } from '../../../kernel/access/schemas.ts';
import { SOURCES } from '../clients/schemas.ts';

const sessionSchema = component(
  'Session',
  v.object({
    id: described(idSchema, 'Ends it; it opens nothing.'),
    plane: described(v.picklist(['management', 'public']), 'The pages that it is a session of.'),
    source_address: text('Address that the user signed in from.'),
    created_at: described(instantSchema, 'When the user signed in.'),
    last_seen_at: described(instantSchema, 'Written at most once a minute.'),
    current: described(v.boolean(), 'Whether the request was made in it.'),
  }),
);

export const oidcSessionSchema = component(
  'OidcSession',
  v.object({
    id: idSchema,
    subject: text('The `sub` of the person.'),
    user_name: text('Name that the person signs in with.'),
    source: described(v.picklist(SOURCES), 'Where the person comes from: users of the appliance, or of the directory.'),
    organization: text('Organization of the directory; empty for users of the appliance.'),
    source_address: text('Address of the browser when it last went to the provider.'),
    clients: described(
      v.array(v.object({ id: idSchema, name: text('Name of the client.') })),
      'The clients that this browser is signed in to.',
    ),
    created_at: described(instantSchema, 'When the person signed in.'),
    last_used_at: described(
      instantSchema,
      'When it last led to a client, which is written at most once a minute, or a client was given tokens in it.',
    ),
  }),
);
export const oidcSessionListSchema = listOf('OidcSessionList', oidcSessionSchema);

export const userSessionsSchema = component(
  'UserSessions',
  v.object({
    sessions: described(v.array(sessionSchema), 'Sessions of the appliance that go on, newest first; at most 100.'),
    oidc_sessions: described(
      v.array(oidcSessionSchema),
      'Browsers that are signed in at the OpenID Connect provider, newest first; at most 100.',
    ),
  }),
);

export const sessionsEndedSchema = component('SessionsEnded', v.object(endedSessionsEntries));

export const oidcSessionQuery = v.strictObject({
  ...PAGE_QUERY,
  subject: v.optional(v.pipe(v.string(), v.maxLength(64), v.description('Only those of the person with this `sub`.'))),
  user_name: v.optional(
    v.pipe(v.string(), v.maxLength(64), v.description('Only those of people with exactly this user name.')),
  ),
});

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

export const oidcPersonSchema = component(
  'OidcPerson',
  v.strictObject({
    subject: v.pipe(
      v.string(),
      v.regex(UUID, 'A subject is a UUID.'),
      v.description(
        'The `sub` of the person, as the list of sessions has it. Of a user of the directory it is the `entryUUID`.',
      ),
    ),
  }),
  { subject: '5f0c9a4e-6a0e-8a3b-9f59-2f2b8a1f6f10' },
);

export const oidcSessionsEndedSchema = component(
  'OidcSessionsEnded',
  v.object({ oidc_sessions_ended: endedSessionsEntries.oidc_sessions_ended }),
);
