// Adding a Kickstart.
import { newItemPage } from '../units/item-pages.tsx';
import { KICKSTART_PAGES } from './kickstart-pages.tsx';

export const page = newItemPage(KICKSTART_PAGES);
