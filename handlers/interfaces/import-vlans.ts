// Reads VLANs from CSV.
import { importedVlans } from '../../shared/appliance/edits/imported-interfaces.ts';
import { importOperation } from '../../shared/platform/units/import-operation.ts';

export const operation = importOperation(importedVlans);
