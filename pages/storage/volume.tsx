// One storage volume: changing it.
import { itemPage } from '../units/item-pages.tsx';
import { VOLUME_PAGES } from './volume-pages.tsx';

export const page = itemPage(VOLUME_PAGES);
