// The part of a zone's page that is about the zone itself: changing it.
import type { Zone } from '../../../shared/services/dns-dhcp/schemas.ts';
import { Button } from '../../components/button.tsx';
import { Form, FormActions } from '../../components/form.tsx';
import { Instant } from '../../components/time.tsx';
import type { ShellState } from '../../layout/state.ts';
import { editedFrom, MAY_ONLY_READ, ON_APPLY, type SavedField, type Typed, zoneHref } from './form-state.tsx';
import { ZONE_LABELS, ZoneFields } from './zone-fields.tsx';

export const zoneFields = ({ description, enabled }: Zone): SavedField[] => [
  [ZONE_LABELS.description, 'description', description],
  [ZONE_LABELS.enabled, 'enabled', enabled],
];

export interface ZoneItselfProps {
  zone: Zone;
  typed: Typed;
  state: ShellState;
}

export function ZoneItself({ zone, typed, state }: ZoneItselfProps) {
  const href = zoneHref(zone.id);
  const writes = state.user.scopes.includes('write:dns');
  return (
    <section aria-labelledby="zone" class="below">
      <h2 id="zone">Zone settings</h2>
      <p class="muted">
        Added <Instant at={zone.created_at} now={state.now} />, changed <Instant at={zone.updated_at} now={state.now} />
        . The name of a zone can’t be changed.
      </p>
      <Form
        action={href}
        csrf={state.csrf}
        {...editedFrom(typed, zone.revision, zoneFields(zone))}
        label={`Edit ${zone.name}`}
      >
        <ZoneFields saved={zone} typed={typed} />
        <FormActions note={ON_APPLY}>
          <Button unavailable={writes ? undefined : MAY_ONLY_READ}>Save zone</Button>
        </FormActions>
      </Form>
    </section>
  );
}
