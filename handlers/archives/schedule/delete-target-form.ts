// The button that deletes a target, on the page that asks for confirmation.
import { archiveTargets } from '../../../shared/appliance/archive/schedule/targets.ts';
import { deleteForm } from '../../forms/collection-form.ts';
import { operation as deleteTarget } from './delete-target.ts';

export const operation = deleteForm(archiveTargets, deleteTarget);
