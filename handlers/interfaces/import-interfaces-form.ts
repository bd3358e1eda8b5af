// The form that reads interfaces from CSV.
import { importedInterfaces } from '../../shared/appliance/edits/imported-interfaces.ts';
import { importForm } from '../forms/import-form.ts';
import { operation as importInterfaces } from './import-interfaces.ts';

export const operation = importForm(importedInterfaces, importInterfaces);
