// What changes a key: its attributes (OASIS KMIP Specification 1.4, sections 4.14 to 4.16), Activate (4.19), Revoke (4.20) and
// Destroy (4.21).
import { type KeptAttribute, stateAt } from '../keys/key-rows.ts';
import { type Asked, added, instanceOf, keptItem, keptValue, readAttribute } from '../protocol/attributes.ts';
import { child, KmipFailure, members, numberIn, textIn } from '../protocol/message.ts';
import { COMPROMISING, REASON, TAG } from '../protocol/tags.ts';
import { changing, type Done, idItem, type Operating, wantedId } from './operating.ts';

/** The instance that was added, changed or removed, and all that there are then. */
interface Edited {
  all: KeptAttribute[];
  made: KeptAttribute;
}

async function editing(
  operating: Operating,
  asked: Asked,
  edit: (all: readonly KeptAttribute[]) => Edited,
): Promise<Done> {
  let edited: Edited | null = null;
  const key = await changing(operating, {
    action: 'kms.key.update',
    detail: { attribute: asked.name },
    change({ attributes }) {
      edited = edit(attributes);
      return { attributes: edited.all };
    },
  });
  const { made } = edited as unknown as Edited;
  return { payload: [idItem(key.id), keptItem(made)], key_id: key.id, attributes: [asked.name] };
}

export async function addAttribute(operating: Operating): Promise<Done> {
  const asked = readAttribute(child(operating.payload, TAG.attribute));
  return editing(operating, asked, (all) => added(all, asked));
}

export async function modifyAttribute(operating: Operating): Promise<Done> {
  const asked = readAttribute(child(operating.payload, TAG.attribute));
  return editing(operating, asked, (all) => {
    const was = instanceOf(all, asked);
    const made = { ...was, value: keptValue(asked) };
    return { all: all.map((each) => (each === was ? made : each)), made };
  });
}

export async function deleteAttribute(operating: Operating): Promise<Done> {
  const { payload } = operating;
  const name = textIn(payload, TAG.attributeName);
  if (name === undefined) throw new KmipFailure(REASON.missingData, 'No attribute is named.');
  const asked = { name, index: numberIn(payload, TAG.attributeIndex), value: undefined };
  return editing(operating, asked, (all) => {
    const made = instanceOf(all, asked);
    return { all: all.filter((each) => each !== made), made };
  });
}

/** One that is active already is so after this too: a client that makes sure must not be told of a failure. */
export async function activate(operating: Operating): Promise<Done> {
  const { now } = operating;
  const key = await changing(operating, {
    action: 'kms.key.activate',
    change(row) {
      const state = stateAt(row, now);
      if (state === 'active') return null;
      if (state !== 'pre-active') throw new KmipFailure(REASON.illegalOperation, `The key is ${state}.`);
      return { state: 'active', activated_at: now };
    },
  });
  return { payload: [idItem(key.id)], key_id: key.id };
}

export async function revoke(operating: Operating): Promise<Done> {
  const { now, payload } = operating;
  const reason = members(payload, TAG.revocationReason);
  const code = reason && numberIn(reason, TAG.revocationCode);
  if (code === undefined) throw new KmipFailure(REASON.missingData, 'A revocation has a reason.');
  const compromised = COMPROMISING.includes(code);
  const key = await changing(operating, {
    action: 'kms.key.revoke',
    detail: { compromised },
    change(row) {
      const state = stateAt(row, now);
      if (compromised) return { state: 'compromised', compromised_at: now };
      if (state !== 'active') throw new KmipFailure(REASON.illegalOperation, `The key is ${state}.`);
      return { state: 'deactivated', deactivated_at: now };
    },
  });
  return { payload: [idItem(key.id)], key_id: key.id };
}

/** Its material stays sealed for some time, and an administrator can bring it back. */
export async function destroy(operating: Operating): Promise<Done> {
  const key_id = wantedId(operating);
  await changing(operating, {
    action: 'kms.key.destroy',
    change(row) {
      if (stateAt(row, operating.now) === 'active')
        throw new KmipFailure(REASON.permissionDenied, 'The key is active: revoke it first.');
      return { destroyed_at: operating.now };
    },
  });
  return { payload: [idItem(key_id)], key_id };
}
