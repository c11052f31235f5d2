/**
 * The views, one row each. The navigation bar, the keys after `g` and the router are built from it;
 * a view that is not listed cannot be reached.
 */
import type { ViewRow } from './view-rows.ts'
import { MapView } from './views/map.tsx'

export const VIEWS: readonly ViewRow[] = [
  { path: '/map', title: 'Map', key: 'm', bar: 'always', load: async () => MapView },
  {
    path: '/battles',
    title: 'Battles',
    key: 'b',
    bar: 'always',
    load: async () => (await import('./views/battles.tsx')).BattlesView,
  },
  {
    path: '/battles/:id',
    title: 'Battle',
    load: async () => (await import('./views/battle.tsx')).BattleView,
  },
  {
    path: '/market',
    title: 'Exchange',
    key: 'x',
    bar: 'always',
    load: async () => (await import('./views/market.tsx')).MarketView,
  },
  {
    path: '/market/item/:id',
    title: 'Item',
    load: async () => (await import('./views/market-item.tsx')).ItemView,
  },
  {
    path: '/market/:station',
    title: 'Market',
    load: async () => (await import('./views/market-station.tsx')).StationMarketView,
  },
  {
    path: '/stations/:id',
    title: 'Station',
    load: async () => (await import('./views/station.tsx')).StationView,
  },
  {
    path: '/leaderboard/:board?',
    title: 'Ranks',
    key: 'r',
    bar: 'always',
    load: async () => (await import('./views/ranks.tsx')).RanksView,
  },
  {
    path: '/player/:name',
    title: 'Player',
    load: async () => (await import('./views/player.tsx')).PlayerView,
  },
  {
    path: '/faction/:tag',
    title: 'Faction',
    load: async () => (await import('./views/faction.tsx')).FactionView,
  },
  {
    path: '/forum/:id?',
    title: 'Forum',
    key: 'f',
    bar: 'always',
    load: async () => (await import('./views/forum.tsx')).ForumView,
  },
  {
    path: '/play',
    title: 'Play',
    key: 'p',
    bar: 'always',
    load: async () => (await import('./views/play.tsx')).PlayView,
  },
  {
    path: '/intel',
    title: 'Intel',
    key: 'i',
    load: async () => (await import('./views/intel.tsx')).IntelView,
  },
  {
    path: '/ops',
    title: 'Operator',
    key: 'o',
    load: async () => (await import('./views/ops.tsx')).OpsView,
  },
  {
    path: '/changelog',
    title: 'Changes',
    key: 'c',
    bar: 'wide',
    load: async () => (await import('./views/changes.tsx')).ChangesView,
  },
  {
    path: '/system/:id',
    title: 'System',
    load: async () => (await import('./views/system.tsx')).SystemView,
  },
]
