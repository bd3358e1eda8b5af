// Schemas of signing keys. No answer has a private key.
import * as v from 'valibot';
import { component, described, idSchema, instantSchema } from '../../../ground/schemas/component.ts';
import { KEY_STATES } from './signing-keys.ts';

export const signingKeySchema = component(
  'OidcSigningKey',
  v.object({
    id: described(idSchema, 'The `kid` of its signatures and in the published keys.'),
    state: described(
      v.picklist(KEY_STATES),
      '`current` signs. `next` is published and signs after the next rotation. `previous` is published until what it signed has run out.',
    ),
    signs_from: described(v.nullable(instantSchema), 'Since when it signs, or signed; null: not yet.'),
    published_until: described(v.nullable(instantSchema), 'Until when a former one is published.'),
    created_at: instantSchema,
  }),
);
export const signingKeysSchema = component(
  'OidcSigningKeys',
  v.object({ items: described(v.array(signingKeySchema), 'The one that signs first.') }),
);
