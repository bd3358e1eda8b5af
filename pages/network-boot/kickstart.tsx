// One Kickstart, and changing it.
import { itemPage } from '../units/item-pages.tsx';
import { KICKSTART_PAGES } from './kickstart-pages.tsx';

export const page = itemPage(KICKSTART_PAGES);
