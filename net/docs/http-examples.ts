/** The requests that the page of HTTP shows, one after the other: a player of v2, and one of v1. */
import type { Example, HttpStep } from './examples.ts'

const http = (...steps: readonly HttpStep[]): Example => ({ http: steps })

const SESSION_2 = '9a549b9c61b28f809584a34de896f70f6c60cef7262be0b68516617915b31a58'
const SESSION_1 = 'd21bccb35e479cb740a25ea171a12bc832aeefb000be4f47de4a3b0a12bfcfa7'
const PLAYER = '26775c2f-edf4-8ef7-81bc-266316f165d2'
const PASSWORD = '6022be3c98cdde79f1845567dfd97d07cbe51a7b58c332242d285e0a9b13fa8c'
const ETAG = '"266f61ba26dee2576d338ae705554069f049421f0ce16458900911f08477cd15"'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const AS_2 = { 'X-Session-Id': SESSION_2, ...JSON_TYPE }
const AS_1 = { 'X-Session-Id': SESSION_1, ...JSON_TYPE }

const TIMES = { created_at: '2026-11-22T20:29:26.239Z', expires_at: '2026-11-22T20:59:26.239Z' }

export const HTTP_EXAMPLES = {
  session: http({
    method: 'POST',
    path: '/api/v2/session',
    status: 200,
    answer: {
      result: 'Session 9a549b9c… created. Send it as X-Session-Id, then log in or register.',
      notifications: [],
      session: { id: SESSION_2, ...TIMES },
      error: null,
    },
  }),
  register: http({
    method: 'POST',
    path: '/api/v2/game_auth/register',
    headers: AS_2,
    body: { username: 'Third Light', empire: 'nebula', registration_code: 'any' },
    status: 200,
    answer: {
      result: 'Welcome, Third Light. Keep the password: it is shown only now.',
      structuredContent: {
        message: 'Welcome, Third Light. Keep the password: it is shown only now.',
        username: 'Third Light',
        empire: 'nebula',
        password: PASSWORD,
        player_id: PLAYER,
        session_id: SESSION_2,
        player: { username: 'Third Light', credits: 250 },
        ship: { class_id: 'penny', fuel: 100 },
        system: { id: 'gildshoal' },
        poi: { id: 'gildshoal_station' },
        pending_trades: [],
      },
      notifications: [],
      session: { id: SESSION_2, player_id: PLAYER, ...TIMES },
      error: null,
    },
  }),
  query: http({
    method: 'POST',
    path: '/api/v2/game/get_cargo',
    headers: AS_2,
    status: 200,
    answer: {
      result: 'Cargo: 3/70\n\nCargo (2 items):\nitem\tqty\tsize\nfuel_cell\t2\t1\nrepair_kit\t1\t1',
      structuredContent: {
        cargo: [{ item_id: 'fuel_cell', item_name: 'Fuel Cell', quantity: 2, size: 1 }],
        ship: { cargo_used: 3, cargo_capacity: 70 },
      },
      notifications: [],
      session: { id: SESSION_2, player_id: PLAYER, ...TIMES },
      error: null,
    },
  }),
  mutation: http({
    method: 'POST',
    path: '/api/v2/game/undock',
    headers: AS_2,
    status: 200,
    answer: {
      result: 'undock: done.\nHull: 95/95\nFuel: 100/100\nCargo: 3/70',
      structuredContent: {
        ship: { hull: 95, fuel: 100 },
        location: { poi_id: 'gildshoal_station', docked_at: null },
        queue: { has_pending: false },
        details: { action: 'undock' },
      },
      error: null,
    },
  }),
  refused: http({
    method: 'POST',
    path: '/api/v2/game/mine',
    headers: AS_2,
    status: 400,
    answer: {
      result: 'Nothing can be mined here; travel to a belt, a cloud or an ice field.',
      notifications: [],
      session: { id: SESSION_2, player_id: PLAYER, ...TIMES },
      error: {
        code: 'not_at_asteroid',
        message: 'Nothing can be mined here; travel to a belt, a cloud or an ice field.',
      },
    },
  }),
  payload: http({
    method: 'POST',
    path: '/api/v2/game/travel',
    headers: AS_2,
    body: { id: 5 },
    status: 400,
    answer: {
      result: 'Check the parameters: id must be string.',
      error: {
        code: 'invalid_payload',
        message: 'Check the parameters: id must be string.',
        details: { fields: [{ field: 'id', expected: 'string' }] },
      },
    },
  }),
  noSession: http({
    method: 'POST',
    path: '/api/v2/game/get_cargo',
    status: 401,
    answer: {
      result:
        'Send the header X-Session-Id; POST /api/v2/session makes a session, on v1 POST /api/v1/session.',
      error: {
        code: 'session_required',
        message:
          'Send the header X-Session-Id; POST /api/v2/session makes a session, on v1 POST /api/v1/session.',
      },
    },
  }),
  notifications: http({
    method: 'GET',
    path: '/api/v2/notifications?limit=10&types=chat',
    headers: { 'X-Session-Id': SESSION_2 },
    status: 200,
    answer: { result: 'No notifications.', notifications: [], error: null },
  }),
  help: http({
    method: 'GET',
    path: '/api/v2/game/help?topic=travel',
    status: 200,
    answer: { result: '…', notifications: [], error: null },
  }),
  v1: http(
    {
      method: 'POST',
      path: '/api/v1/session',
      status: 200,
      answer: {
        result: {
          message: 'Session created. Send its id as X-Session-Id, then log in or register.',
        },
        notifications: [],
        session: { id: SESSION_1, ...TIMES },
        error: null,
      },
    },
    {
      method: 'POST',
      path: '/api/v1/login',
      headers: AS_1,
      body: { username: 'Third Light', password: PASSWORD },
      status: 200,
      answer: {
        result: {
          message: 'Welcome back, Third Light.',
          username: 'Third Light',
          player_id: PLAYER,
          session_id: SESSION_1,
          player: { username: 'Third Light' },
        },
        error: null,
      },
    },
    {
      method: 'POST',
      path: '/api/v1/get_cargo',
      headers: AS_1,
      status: 200,
      answer: {
        result: {
          action: 'get_cargo',
          available: 67,
          capacity: 70,
          used: 3,
          cargo: [{ item_id: 'fuel_cell', name: 'Fuel Cell', quantity: 2, size: 1 }],
        },
        notifications: [],
        session: { id: SESSION_1, player_id: PLAYER, ...TIMES },
        error: null,
      },
    },
  ),
  publicData: http(
    {
      method: 'GET',
      path: '/health',
      status: 200,
      answer: {
        status: 'ok',
        tick: 4711,
        estimated_next_tick: '2026-11-22T20:29:30.000Z',
        version: '0.599.5',
      },
    },
    {
      method: 'GET',
      path: '/api/stats',
      status: 200,
      answerHeaders: { 'Cache-Control': 'public, max-age=5' },
      answer: {
        version: '0.599.5',
        online_players: 12,
        total_players: 340,
        total_systems: 505,
        tick: 4711,
        forum_threads: 9,
        forum_replies: 41,
      },
    },
    {
      method: 'GET',
      path: '/api/market/item/iron_ore',
      status: 200,
      answer: {
        item_id: 'iron_ore',
        item_name: 'Iron Ore',
        category: 'ore',
        base_value: 5,
        stations: [
          {
            base_id: 'concord_spire',
            base_name: 'Concord Spire',
            system_id: 'aurelune',
            empire: 'solarian',
            best_bid: 3,
            best_ask: 5,
            bid_quantity: 400,
            ask_quantity: 900,
            spread: 2,
            spread_pct: 40,
            vwap_24h: 4,
            volume_24h: 1_200,
          },
        ],
      },
    },
    {
      method: 'GET',
      path: '/api/market/item/unobtainium',
      status: 404,
      answer: {
        error: 'not_found',
        code: 'not_found',
        message: 'There is no item_id "unobtainium"; /api/catalog.json lists them.',
      },
    },
  ),
  catalog: http(
    {
      method: 'GET',
      path: '/api/catalog.json',
      headers: { 'Accept-Encoding': 'gzip' },
      status: 200,
      answerHeaders: { ETag: ETAG, 'Cache-Control': 'public, max-age=3600' },
      answer: {
        version: '0.599.5',
        ships: [{ id: 'clause', name: 'Clause' }],
        skills: [{ id: 'weapons' }],
        recipes: [{ id: 'refine_iron' }],
        items: [{ id: 'iron_ore' }],
        facilities: [{ id: 'refinery' }],
        achievements: [{ id: 'first_ore' }],
        faction_achievements: [{ id: 'first_member' }],
        hidden_achievement_count: 3,
        hidden_faction_achievement_count: 1,
        mining: { precision_k: 20, overkill_ratio: 4, depletion_floor: 0.25 },
      },
    },
    {
      method: 'GET',
      path: '/api/catalog.json',
      headers: { 'If-None-Match': ETAG },
      status: 304,
    },
  ),
  account: http({
    method: 'GET',
    path: '/api/me',
    status: 401,
    answer: {
      error: 'unauthorized',
      code: 'unauthorized',
      message: 'A valid bearer token is needed.',
    },
  }),
} as const

/** The body of a 429, the same at every address of HTTP. */
export const LIMITED_BODY = {
  code: 'rate_limited',
  message:
    'rate_limited (openapi): OpenAPI fetches: one a minute, whichever document. Keep what you have. ' +
    'Retry in 60 seconds.',
  wait_seconds: 60,
  retry_after: 60,
  details: {
    limit: 'openapi',
    scope: 'ip',
    limit_per_min: 1,
    current: 1,
    wait_seconds: 60,
    retry_after: 60,
  },
  limit: 'openapi',
  scope: 'ip',
  error: 'rate_limited',
} as const
