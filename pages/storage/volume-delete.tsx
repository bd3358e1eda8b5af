// Asks before a storage volume is deleted.
import { deleteItemPage } from '../units/item-pages.tsx';
import { VOLUME_PAGES } from './volume-pages.tsx';

export const page = deleteItemPage(VOLUME_PAGES);
