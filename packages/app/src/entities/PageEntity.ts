import { createContext } from 'react';
import type { Entity } from '@backstage/catalog-model';

/** The entity of the surrounding entity page; undefined on other pages and until it is loaded. */
export const PageEntity = createContext<Entity | undefined>(undefined);
