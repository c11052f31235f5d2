/** The frames that the page of WebSockets shows: one connection of v1 and one of v2, top to end. */
import type { Example, SocketStep } from './examples.ts'

const socket = (...steps: readonly SocketStep[]): Example => ({ socket: steps })

const TICK: SocketStep = { tick: 'A tick later:' }

const PASSWORD_1 = '16c1e42a23e1310c680e10a99b5724ae932c9002a2b77b7a9d069945fd3fdb0c'
const PASSWORD_2 = 'ca270bc657cb0855142ca9dd3ba674be6f24d7534bbac0738d91cf191e16209a'
const PLAYER_1 = '34ce29e1-f15d-81af-bbdc-f7fd2f720c61'
const PLAYER_2 = '3582ffc9-f50a-830b-b6f8-4d00bbe04274'
const SHIP_2 = '457dae55-2183-8e37-84c0-2fce03031bfc'

export const SOCKET_V1 = {
  welcome: socket(
    { open: '/ws' },
    {
      get: {
        type: 'welcome',
        payload: {
          version: '0.599.5',
          release_date: '2026-11-21',
          release_notes: ['First release of this server.'],
          tick_rate: 10,
          current_tick: 4711,
          server_time: 1795379340,
          game_info: 'Orrery: mine, trade, explore and talk.',
          website: 'http://127.0.0.1:8080',
          help_text: 'Send get_commands for all commands.',
          terms: 'Play fair.',
        },
      },
    },
  ),
  early: socket(
    { send: { type: 'get_cargo', request_id: '1' } },
    {
      get: {
        type: 'error',
        request_id: '1',
        payload: { code: 'not_authenticated', message: 'Log in or register first.' },
      },
    },
  ),
  register: socket(
    {
      send: {
        type: 'register',
        payload: { username: 'First Light', empire: 'solarian', registration_code: 'any' },
        request_id: '2',
      },
    },
    {
      get: {
        type: 'registered',
        request_id: '2',
        payload: { password: PASSWORD_1, player_id: PLAYER_1 },
      },
    },
    {
      get: {
        type: 'logged_in',
        payload: {
          player: {
            id: PLAYER_1,
            username: 'First Light',
            empire: 'solarian',
            credits: 150,
            docked_at_base: 'concord_spire',
          },
          ship: { class_id: 'clause', hull: 97, max_hull: 97, fuel: 100, cargo_used: 3 },
          modules: [{ type_id: 'mining_laser_i', name: 'Mining Laser I', slot: 'utility' }],
          system: { id: 'aurelune', name: 'Aurelune', security_status: 'max' },
          poi: { id: 'aurelune_station', type: 'station', base_id: 'concord_spire' },
          pending_trades: [],
          recent_chat: [],
          unread_chat: { system: 0, local: 0, faction: 0, private: 0 },
        },
      },
    },
  ),
  query: socket(
    { send: { type: 'get_cargo', request_id: '3' } },
    {
      get: {
        type: 'ok',
        request_id: '3',
        payload: {
          action: 'get_cargo',
          available: 63,
          capacity: 66,
          used: 3,
          cargo: [{ item_id: 'fuel_cell', name: 'Fuel Cell', quantity: 2, size: 1 }],
        },
      },
    },
  ),
  mutation: socket(
    { send: { type: 'undock', request_id: '4' } },
    {
      get: {
        type: 'ok',
        request_id: '4',
        payload: {
          pending: true,
          command: 'undock',
          message: 'undock is accepted; it resolves with the next tick.',
        },
      },
    },
    TICK,
    {
      get: {
        type: 'action_result',
        request_id: '4',
        payload: { command: 'undock', tick: 4712, result: { action: 'undock' } },
      },
    },
  ),
  refused: socket(
    { send: { type: 'mine', request_id: '5' } },
    { get: { type: 'ok', request_id: '5', payload: { pending: true, command: 'mine' } } },
    TICK,
    {
      get: {
        type: 'action_error',
        request_id: '5',
        payload: {
          command: 'mine',
          tick: 4713,
          code: 'not_at_asteroid',
          message: 'Nothing can be mined here; travel to a belt, a cloud or an ice field.',
        },
      },
    },
  ),
  pending: socket(
    { send: { type: 'dock', request_id: '6' } },
    { get: { type: 'ok', request_id: '6', payload: { pending: true, command: 'dock' } } },
    { send: { type: 'undock', request_id: '7' } },
    {
      get: {
        type: 'error',
        request_id: '7',
        payload: {
          code: 'action_pending',
          message: 'An action is pending; it resolves with the next tick.',
          details: { pending_command: 'dock' },
          pending_command: 'dock',
        },
      },
    },
    TICK,
    {
      get: {
        type: 'action_result',
        request_id: '6',
        payload: { command: 'dock', tick: 4714, result: { action: 'dock' } },
      },
    },
  ),
  travel: socket(
    { send: { type: 'travel', payload: { target_poi: 'aurelune_belt' }, request_id: '8' } },
    {
      get: {
        type: 'ok',
        request_id: '8',
        payload: {
          pending: true,
          command: 'travel',
          destination: 'aurelune_belt',
          arrival_tick: 4716,
        },
      },
    },
    TICK,
    { send: { type: 'mine', request_id: '9' } },
    {
      get: {
        type: 'error',
        request_id: '9',
        payload: {
          code: 'in_transit',
          message: 'The ship is under way and arrives in 10 seconds.',
          details: { seconds_until_arrival: 10, arrival_tick: 4716 },
        },
      },
    },
    { tick: 'At the tick of arrival:' },
    {
      get: {
        type: 'action_result',
        request_id: '8',
        payload: {
          command: 'travel',
          tick: 4716,
          result: {
            action: 'arrived',
            poi: 'Apprentice Shoal',
            poi_id: 'aurelune_belt',
            online_players: [],
          },
          auto_undocked: true,
        },
      },
    },
  ),
  push: socket(
    { send: { type: 'mine', request_id: '10' } },
    { get: { type: 'ok', request_id: '10', payload: { pending: true, command: 'mine' } } },
    TICK,
    {
      get: {
        type: 'mining_yield',
        payload: { resource_id: 'silicate_ore', quantity: 4, remaining: 32983 },
      },
    },
    {
      get: {
        type: 'action_result',
        request_id: '10',
        payload: {
          command: 'mine',
          tick: 4717,
          result: { resource_id: 'silicate_ore', quantity: 4, remaining: 32983 },
        },
      },
    },
  ),
  errors: socket(
    { send: '{"type":' },
    {
      get: {
        type: 'error',
        payload: { code: 'invalid_json', message: 'Send exactly one JSON object per message.' },
      },
    },
    { send: { type: 'travel', payload: { target_poi: 5 }, request_id: '11' } },
    {
      get: {
        type: 'error',
        request_id: '11',
        payload: {
          code: 'invalid_payload',
          message: 'Check the parameters: target_poi must be string.',
          details: { fields: [{ field: 'target_poi', expected: 'string' }] },
        },
      },
    },
  ),
  logout: socket(
    { send: { type: 'logout', request_id: '12' } },
    {
      get: {
        type: 'ok',
        request_id: '12',
        payload: { action: 'logout', message: 'Logged out. Your state is saved.' },
      },
    },
    { closed: 1000 },
  ),
} as const

export const SOCKET_V2 = {
  login: socket(
    { open: '/ws/v2' },
    {
      send: {
        tool: 'game_auth',
        action: 'login',
        payload: { username: 'Second Light', password: PASSWORD_2 },
        request_id: 'a',
      },
    },
    {
      get: {
        type: 'logged_in',
        request_id: 'a',
        payload: {
          player: { id: PLAYER_2, username: 'Second Light', empire: 'solarian', credits: 150 },
          ship: { id: SHIP_2, class_id: 'clause' },
          system: { id: 'aurelune', name: 'Aurelune' },
          poi: { id: 'aurelune_station', type: 'station' },
          pending_trades: [],
        },
      },
    },
  ),
  query: socket(
    { send: { tool: 'game', action: 'get_cargo', request_id: 'b' } },
    {
      get: {
        type: 'result',
        request_id: 'b',
        payload: {
          result:
            'Cargo: 3/66\n\nCargo (2 items):\nitem\tqty\tsize\nfuel_cell\t2\t1\nrepair_kit\t1\t1',
          structuredContent: {
            cargo: [{ item_id: 'fuel_cell', item_name: 'Fuel Cell', quantity: 2, size: 1 }],
            ship: { id: SHIP_2, cargo_used: 3, cargo_capacity: 66 },
          },
        },
      },
    },
  ),
  mutation: socket(
    { send: { tool: 'game', action: 'undock', request_id: 'c' } },
    {
      get: {
        type: 'result',
        request_id: 'c',
        payload: {
          result: 'undock is accepted; it resolves with the next tick.',
          structuredContent: { pending: true, command: 'undock' },
        },
      },
    },
    TICK,
    {
      get: {
        type: 'action_result',
        request_id: 'c',
        payload: {
          command: 'undock',
          tick: 4712,
          result: {
            ship: { id: SHIP_2, hull: 97, fuel: 100, cargo_used: 3 },
            location: { system_id: 'aurelune', poi_id: 'aurelune_station', docked_at: null },
            queue: { has_pending: false },
            details: { action: 'undock' },
          },
        },
      },
    },
  ),
  mute: socket(
    {
      send: {
        tool: 'game_social',
        action: 'mute_notifications',
        payload: { channels: ['chat.local'] },
        request_id: 'd',
      },
    },
    {
      get: {
        type: 'result',
        request_id: 'd',
        payload: {
          result: 'Muted on WebSockets: chat.local.',
          structuredContent: {
            muted: ['chat.local'],
            channels: [{ channel: 'chat.system', message_types: ['chat_message'], muted: false }],
          },
        },
      },
    },
  ),
  errors: socket(
    { send: { tool: 'game', action: 'fly', request_id: 'e' } },
    {
      get: {
        type: 'error',
        request_id: 'e',
        payload: {
          code: 'invalid_action',
          message: 'This tool has no such action; action "help" lists them.',
          details: { tool: 'game', action: 'fly' },
        },
      },
    },
    { send: { tool: 'game', action: 'help', payload: { topic: 'travel' }, request_id: 'f' } },
    {
      get: {
        type: 'result',
        request_id: 'f',
        payload: {
          result: '…',
          structuredContent: { topic: 'travel', commands: [{ name: 'game/travel' }] },
        },
      },
    },
  ),
} as const
