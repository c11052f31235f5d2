/** The language of drone scripts: what parses, and the fault of what does not. drones.md 3. */
import { describe, expect, test } from 'vitest'
import { compile } from '../../../systems/drone/compile-model.ts'
import { DRONE_TYPES, type DroneType } from '../../../systems/drone/figures-model.ts'
import { SCRIPT_FAULTS } from '../../../systems/drone/lexer-model.ts'
import { DRONE_FAULT_CHARACTERS_MAX } from '../../../systems/drone/state.ts'

/** Returns `ok`, or kind and place of the first fault. */
function parsed(source: string, type: DroneType = 'mining'): string {
  const compiled = compile(source, DRONE_TYPES.indexOf(type))
  if (compiled.ok) return 'ok'
  const { kind, line, column } = compiled.fault
  return `${kind} L${line}:C${column}`
}

/** Returns how many instructions of three numbers a script compiles to, or -1. */
const instructions = (source: string, type: DroneType = 'mining'): number => {
  const compiled = compile(source, DRONE_TYPES.indexOf(type))
  return compiled.ok ? compiled.program.code.length / 3 : -1
}

describe('a script parses', () => {
  test.each([
    [''],
    ['// nothing but words'],
    ['MINE'],
    ['  MINE ; DEPOSIT // both on a line'],
    ['IF cargo_full() DEPOSIT ELSE MINE END'],
    ['IF cargo_full()\n  IF at("port") DEPOSIT END\n  MOVE "port"\nEND\nMINE'],
    ['IF hull_pct() < 50 MOVE "a" ELSE IF cargo_pct() >= 80 MOVE "b" ELSE MINE END'],
    ['IF hull_pct() < 50 MOVE "a" ELSE\nIF cargo_pct() >= 80 MOVE "b" END\nEND'],
    ['IF tick() % 10 == 0 TRANSFER END'],
    ['IF mem("state") == "home" MOVE "x" END SET_MEM "state" "away" MINE'],
    ['IF resource_available() MINE END IF resource_available("iron_ore") MINE END'],
    ['IF traveling() WAIT END IF enemy_nearby() WAIT END IF pirate_nearby() WAIT END'],
    ['IF in_battle() WAIT END IF ally_hull_below(50) WAIT END IF owner_hull_pct() != 100 WAIT END'],
    ['SET_MEM "größe" "ü // no comment" MINE'],
    ['MOVE ""'],
  ])('%j', (source) => {
    expect(parsed(source)).toBe('ok')
  })

  test('if its actions are allowed for its type of drone', () => {
    expect(parsed('ATTACK "nearest" ADVANCE RETREAT STANCE "evade"', 'combat')).toBe('ok')
    expect(parsed('MINE DEPOSIT TRANSFER JETTISON WAIT MOVE "a"', 'mining')).toBe('ok')
    expect(parsed('REPAIR "owner"', 'repair')).toBe('ok')
    expect(parsed('LOOT "nearest" SALVAGE "nearest" DEPOSIT TRANSFER JETTISON', 'salvage')).toBe(
      'ok',
    )
    expect(parsed('SCAN SURVEY', 'scout')).toBe('ok')
  })
})

describe('ELSE IF', () => {
  test('on one line continues the chain under one END', () => {
    expect(parsed('IF cargo_full() WAIT ELSE IF traveling() WAIT END')).toBe('ok')
    expect(parsed('IF cargo_full() WAIT ELSE IF traveling() WAIT END END')).toBe(
      'unexpected_token L1:C51',
    )
  })

  test('with a separator between them opens a block that needs its own END', () => {
    expect(parsed('IF cargo_full() WAIT ELSE\nIF traveling() WAIT END END')).toBe('ok')
    expect(parsed('IF cargo_full() WAIT ELSE\nIF traveling() WAIT END')).toBe('missing_end L2:C24')
    expect(parsed('IF cargo_full() WAIT ELSE; IF traveling() WAIT END')).toBe('missing_end L1:C51')
  })
})

describe('the first fault is reported with its kind, line and column', () => {
  const cases: [string, string, DroneType?][] = [
    ['x'.repeat(2_001), 'too_long L1:C1'],
    ['MINE ü', 'bad_char L1:C6'],
    ['MINE\nIF cargo_full() = 1 END', 'bad_char L2:C17'],
    ['MINE\u0000', 'bad_char L1:C5'],
    ['MOVE "a\u0007"', 'bad_char L1:C8'],
    ['MOVE "belt', 'unterminated_string L1:C6'],
    ['MOVE "belt\n"', 'unterminated_string L1:C6'],
    ['"text"', 'unexpected_token L1:C1'],
    ['MINE END', 'unexpected_token L1:C6'],
    ['ELSE', 'unexpected_token L1:C1'],
    ['IF tick() == 1234567890 END', 'unexpected_token L1:C14'],
    ['IF cargo_full() MINE ELSE WAIT ELSE WAIT END', 'unexpected_token L1:C32'],
    ['IF ( ) MINE END', 'unexpected_token L1:C4'],
    ['IF hull_pct() < ( MINE END', 'unexpected_token L1:C17'],
    ['IF mem("a") == ( MINE END', 'unexpected_token L1:C16'],
    ['IF cargo_full()\n  MINE\n', 'missing_end L3:C1'],
    ['IF fuel_pct() < 5 MINE END', 'unknown_function L1:C4'],
    ['IF CARGO_FULL() MINE END', 'unknown_function L1:C4'],
    ['IF cargo_full MINE END', 'missing_paren L1:C15'],
    ['IF cargo_full( MINE END', 'missing_paren L1:C16'],
    ['IF at("a" MINE END', 'missing_paren L1:C11'],
    ['IF at() MINE END', 'wrong_arity L1:C7'],
    ['IF cargo_full("a") MINE END', 'wrong_arity L1:C15'],
    ['IF at("a" "b") MINE END', 'wrong_arity L1:C11'],
    ['IF tick(5) == 5 MINE END', 'wrong_arity L1:C9'],
    ['IF at(5) MINE END', 'wrong_arg_type L1:C7'],
    ['IF ally_hull_below("a") MINE END', 'wrong_arg_type L1:C20'],
    ['IF hull_pct() < "a" MINE END', 'wrong_arg_type L1:C17'],
    ['IF mem("a") == 5 MINE END', 'wrong_arg_type L1:C16'],
    ['SET_MEM "a" 5', 'wrong_arg_type L1:C13'],
    ['MOVE 5', 'wrong_arg_type L1:C6'],
    ['IF cargo_full() == 1 MINE END', 'bool_compared L1:C17'],
    ['IF hull_pct()', 'value_not_compared L1:C14'],
    ['IF hull_pct() MINE END', 'value_not_compared L1:C15'],
    ['IF mem("a") MINE END', 'value_not_compared L1:C13'],
    ['IF mem("a") < "b" MINE END', 'bad_operator L1:C13'],
    ['IF tick() % 0 == 0 MINE END', 'bad_modulo L1:C13'],
    ['IF tick() % == 0 MINE END', 'bad_modulo L1:C13'],
    ['IF hull_pct() % 2 == 0 MINE END', 'bad_modulo L1:C15'],
    ['IF mem("a") % 2 == 0 MINE END', 'bad_modulo L1:C13'],
    ['IF traveling() % 2 == 0 MINE END', 'bad_modulo L1:C16'],
    ['mine', 'unknown_action L1:C1'],
    ['if cargo_full() MINE END', 'unknown_action L1:C1'],
    ['IF cargo_full() AND traveling() MINE END', 'unknown_action L1:C17'],
    ['MINE\nIF cargo_full()\n ATTACK "nearest" END', 'action_forbidden L3:C2'],
    ['MINE ATTACK "nearest"', 'action_forbidden L1:C6'],
    ['MOVE', 'missing_argument L1:C5'],
    ['MOVE\nMINE', 'missing_argument L2:C1'],
    ['SET_MEM "a"', 'missing_argument L1:C12'],
    ['STANCE "flee"', 'bad_stance L1:C8', 'combat'],
    [`${'IF cargo_full() '.repeat(33)}`, 'nesting_too_deep L1:C513'],
  ]

  test.each(cases)('%j: %s', (source, expected, type) => {
    expect(parsed(source, type)).toBe(expected)
  })

  test('every kind of fault has a case', () => {
    const kinds = new Set(cases.map(([, expected]) => expected.split(' ')[0]))
    expect([...kinds].sort()).toEqual([...SCRIPT_FAULTS].sort())
  })
})

describe('sizes', () => {
  test('a fault quotes only the beginning of a long word', () => {
    const compiled = compile('x'.repeat(2_000), 0)
    const text = compiled.ok ? '' : compiled.fault.text
    expect(text).toBe(`${'there is no action '.padEnd(DRONE_FAULT_CHARACTERS_MAX, 'x')} ...`)
  })

  test('a script has at most 2,000 code points', () => {
    expect(parsed(`//${'\u{1f680}'.repeat(1_998)}`)).toBe('ok')
    expect(parsed(`//${'\u{1f680}'.repeat(1_999)}`)).toBe('too_long L1:C1')
  })

  test('IF may be nested 32 deep', () => {
    expect(parsed('IF cargo_full() '.repeat(32) + 'END '.repeat(32))).toBe('ok')
  })

  test('unreachable actions leave no code, and the densest script fits its table', () => {
    expect(instructions('MINE '.repeat(400))).toBe(2)
    const dense = 'IF at("")ELSE END;'
    expect(instructions(dense.repeat(111))).toBe(334)
    expect(instructions(`${'ELSE IF at("")'.repeat(140).replace('ELSE ', '')} END`)).toBe(280)
    expect(instructions('IF at("")WAIT;ELSE WAIT;END;'.repeat(71))).toBe(285)
  })
})
