// The part of a zone's page that is about the zone: changing it, and deleting it with what it holds.
import type { Zone } from '../../../shared/services/dns-dhcp/schemas.ts';
import { Button, PostButton } from '../../components/button.tsx';
import { More } from '../../components/code.tsx';
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
  total: number;
  typed: Typed;
  state: ShellState;
}

export function ZoneItself({ zone, total, typed, state }: ZoneItselfProps) {
  const href = zoneHref(zone.id);
  const writes = state.user.scopes.includes('write:dns');
  return (
    <>
      <section aria-labelledby="zone" class="below">
        <h2 id="zone">Zone settings</h2>
        <p class="muted">
          Added <Instant at={zone.created_at} now={state.now} />, changed{' '}
          <Instant at={zone.updated_at} now={state.now} />. The name of a zone can’t be changed.
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
      {writes && (
        <section class="danger" aria-labelledby="delete-title">
          <h2 id="delete-title">Delete the zone</h2>
          <More summary={`Delete ${zone.name}…`}>
            <div class="danger-body">
              <p>{total === 0 ? 'It has no records.' : `${recordsOf(total)} of it go too, whoever keeps them.`}</p>
              <p>
                <PostButton
                  kind="bad"
                  action={`${href}/delete${total === 0 ? '' : '?with_records=true'}`}
                  csrf={state.csrf}
                  fields={{ revision: zone.revision }}
                >
                  {total === 0 ? `Delete ${zone.name}` : `Delete ${zone.name} and ${recordsOf(total)}`}
                </PostButton>
              </p>
            </div>
          </More>
        </section>
      )}
    </>
  );
}

const recordsOf = (count: number): string => (count === 1 ? '1 record' : `${count} records`);
