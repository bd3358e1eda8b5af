// Asks before a firewall rule is deleted.
import { deleteItemPage } from '../units/item-pages.tsx';
import { RULE_PAGES } from './rule-pages.tsx';

export const page = deleteItemPage(RULE_PAGES);
