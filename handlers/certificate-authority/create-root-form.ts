// The button that makes the root certificate. It switches custody on with it: without custody there is no use for a root.

import { followServiceRecords } from '../../shared/appliance/edits/service-records.ts';
import type { Transaction } from '../../shared/ground/store/database.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import type { MutationContext } from '../../shared/kernel/operation/operation.ts';
import {
  AUTHORITY_PAGE,
  type PreparedRoot,
  prepareRoot,
  readAuthority,
} from '../../shared/platform/certificate-authority/authority.ts';
import { certificateAuthoritySettings } from '../../shared/platform/certificate-authority/settings.ts';
import { saveSettings } from '../../shared/platform/units/settings-store.ts';
import { operation as createRoot, makeRoot } from './create-root.ts';

const CUSTODY = `${certificateAuthoritySettings.key}.settings.update`;

export const operation = defineForm(
  {
    of: createRoot,
    path: AUTHORITY_PAGE,
    audit: ['certificate.root.create', CUSTODY],
    prepare: ({ services }) => prepareRoot(services.store, services, true),
    async run(context) {
      const prepared = context.prepared as PreparedRoot;
      return makeRoot(context, await switchedOn(context, prepared));
    },
  },
  {
    done: () => ({ location: AUTHORITY_PAGE, flash: 'The root certificate is made.' }),
  },
);

type Context = Pick<MutationContext<unknown, unknown, unknown>, 'services' | 'actor' | 'audit'> & { tx: Transaction };

/** The same root, to be made from the settings with custody on. What others saved meanwhile is not overlooked. */
async function switchedOn({ tx, services, actor, audit }: Context, prepared: PreparedRoot): Promise<PreparedRoot> {
  const { enabled, revision } = await readAuthority(tx);
  if (enabled || revision !== prepared.revision) return prepared;
  const { saved } = await saveSettings(
    tx,
    { ...services, actor },
    certificateAuthoritySettings,
    { enabled: true },
    null,
  );
  await followServiceRecords(tx, services);
  const { key } = certificateAuthoritySettings;
  const detail = { changed: ['enabled'], enabled: true };
  audit({ action: CUSTODY, resource_type: 'unit_settings', resource_id: key, detail });
  return { ...prepared, revision: saved.revision };
}
