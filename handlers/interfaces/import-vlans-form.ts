// The form that reads VLANs from CSV.
import { importedVlans } from '../../shared/appliance/edits/imported-interfaces.ts';
import { importForm } from '../forms/import-form.ts';
import { operation as importVlans } from './import-vlans.ts';

export const operation = importForm(importedVlans, importVlans);
