// Asks before a Kickstart is deleted.
import { deleteItemPage } from '../units/item-pages.tsx';
import { KICKSTART_PAGES } from './kickstart-pages.tsx';

export const page = deleteItemPage(KICKSTART_PAGES);
