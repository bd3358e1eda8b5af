// Adding a storage volume.
import { newItemPage } from '../units/item-pages.tsx';
import { VOLUME_PAGES } from './volume-pages.tsx';

export const page = newItemPage(VOLUME_PAGES);
