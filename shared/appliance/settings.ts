// Every settings document of the appliance, in the order of the units.
import type { AnySettings } from '../platform/units/settings.ts';
import { settings } from './generated/settings.ts';
import { inApplyOrder } from './manifests.ts';

export const SETTINGS: readonly AnySettings[] = inApplyOrder(settings, ({ unit }) => unit);
