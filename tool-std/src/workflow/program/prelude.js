// Stands before a program, in its context: gives it `agent`, `args` and chance that is replayed, and takes from it only what
// is data. A program may change every built-in object, so all that is used later is kept here first.
(function (hostCall, hostDone, seed, began, argsText) {
  "use strict";
  const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect;
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { isFinite } = Number;
  const { imul } = Math;
  const ArrayPrototype = Array.prototype;
  const ObjectPrototype = Object.prototype;
  const StringPrototype = String.prototype;
  const { hasOwnProperty, isPrototypeOf } = ObjectPrototype;
  const { push } = ArrayPrototype;
  const { isWellFormed, trim } = StringPrototype;
  const ErrorPrototype = Error.prototype;
  const Text = String;
  const OurPromise = Promise;
  const OurTypeError = TypeError;
  const OurRangeError = RangeError;
  const { split: SPLIT, replace: REPLACE } = Symbol;

  /** The deepest value that a program can give. */
  const MAX_DEPTH = 64;
  /** The longest list for built-in functions that cannot be interrupted. */
  const MAX_LIST = 1_000_000;
  /** The longest text times what is looked for in it. */
  const MAX_SEARCH = 1_000_000_000;

  const isObject = (value) => value !== null && (typeof value === "object" || typeof value === "function");
  const hasOwn = (object, key) => apply(hasOwnProperty, object, [key]);
  const define = (object, name, value) =>
    defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });

  /** The JSON of data: own, enumerable, no functions, no getters, no classes. What a program has put on prototypes does not run. */
  const write = (value, path, depth) => {
    if (value === null || typeof value === "boolean") return `${value}`;
    if (typeof value === "string") {
      if (!apply(isWellFormed, value, [])) throw new OurTypeError(`\`${path}\` holds half a character`);
      return stringify(value);
    }
    if (typeof value === "number") {
      if (!isFinite(value)) throw new OurTypeError(`\`${path}\` is ${value}, which JSON does not have`);
      return `${value}`;
    }
    if (typeof value !== "object") {
      throw new OurTypeError(`\`${path}\` is a ${typeof value}; give text, numbers, true, false, null, lists and plain objects`);
    }
    if (depth > MAX_DEPTH) throw new OurTypeError(`a value is nested more than ${MAX_DEPTH} deep, or holds itself`);
    if (isArray(value)) {
      let items = "";
      for (let at = 0; at < value.length; at += 1) {
        const item = own(value, at, path);
        items += `${at === 0 ? "" : ","}${item === undefined ? "null" : write(item, `${path}[${at}]`, depth + 1)}`;
      }
      return `[${items}]`;
    }
    const prototype = getPrototypeOf(value);
    if (prototype !== null && prototype !== ObjectPrototype) {
      throw new OurTypeError(`\`${path}\` is an object of a class; give plain objects, like \`{ ...it }\``);
    }
    let members = "";
    const keys = ownKeys(value);
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at];
      if (typeof key === "symbol") continue;
      const item = own(value, key, path);
      if (item === undefined) continue;
      if (!apply(isWellFormed, key, [])) throw new OurTypeError(`a key of \`${path}\` holds half a character`);
      members += `${members === "" ? "" : ","}${stringify(key)}:${write(item, `${path}.${key}`, depth + 1)}`;
    }
    return `{${members}}`;
  };

  /** The value of an own, enumerable property. */
  const own = (object, key, path) => {
    const found = getOwnPropertyDescriptor(object, key);
    if (found === undefined || !found.enumerable) return undefined;
    if (!hasOwn(found, "value")) throw new OurTypeError(`\`${path}.${Text(key)}\` is a getter; give its value`);
    return found.value;
  };

  // Calls of agents. Each is named by its place in the order of calls.
  const waiting = [];
  setPrototypeOf(waiting, null);
  const agent = (prompt, options) => {
    if (typeof prompt !== "string" || apply(trim, prompt, []) === "") {
      throw new OurTypeError("`agent` takes a prompt that is not blank, and then options");
    }
    if (!apply(isWellFormed, prompt, [])) throw new OurTypeError("the prompt of `agent` holds half a character");
    const given = options === undefined ? "null" : write(options, "options", 0);
    const refused = hostCall(prompt, given);
    if (refused !== undefined) throw new OurTypeError(refused);
    return new OurPromise((resolve) => {
      waiting[waiting.length] = resolve;
    });
  };
  const settle = (call, text) => waiting[call](text === undefined ? null : parse(text));

  /** What the host says about an error of the program, and where it was made. */
  const explain = (error) => {
    try {
      // What the engine throws when not even an error has room.
      if (error === null) return ["it threw null, or its memory ran out", ""];
      if (!isObject(error)) return [typeof error === "string" ? error : Text(error), ""];
      if (apply(isPrototypeOf, ErrorPrototype, [error])) return [`${error.name}: ${error.message}`, `${error.stack}`];
      return [`it threw ${write(error, "it", 0)}`, ""];
    } catch {
      return ["it threw something that cannot be shown", ""];
    }
  };
  const textOf = (value) => {
    if (value === undefined) return "";
    const text = write(value, "result", 0);
    return typeof value === "string" ? value : text;
  };
  const start = async (program) => {
    let value;
    try {
      value = await program();
    } catch (error) {
      const said = explain(error);
      hostDone("threw", said[0], said[1]);
      return;
    }
    try {
      hostDone("completed", textOf(value), "");
    } catch (error) {
      hostDone("result", error === null ? "its memory ran out" : `${error.message}`, "");
    }
  };

  // Chance and time, the same in each replay.
  let state = seed >>> 0;
  define(Math, "random", function random() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  });
  class Date {
    constructor() {
      throw new OurTypeError("here is only `Date.now()`, which is when the run began; pass dates in `args`");
    }
    static now() {
      return began;
    }
  }
  define(globalThis, "Date", Date);

  // Built-in functions with loops that nothing interrupts work on what a program can have reason to give them.
  const listOf = (name, list) => {
    const length = isObject(list) ? getOwnPropertyDescriptor(list, "length") : undefined;
    if (length === undefined || typeof length.value !== "number") throw new OurTypeError(`\`${name}\` works on lists`);
    if (length.value > MAX_LIST) throw new OurRangeError(`\`${name}\` works on lists of up to ${MAX_LIST} items`);
  };
  const lists = [
    "copyWithin", "fill", "join", "pop", "push", "reverse", "shift", "slice", "sort", "splice", "toLocaleString",
    "toReversed", "toSorted", "toSpliced", "unshift", "with",
  ];
  for (let at = 0; at < lists.length; at += 1) {
    const name = lists[at];
    const native = ArrayPrototype[name];
    const limited = {
      [name](...given) {
        listOf(name, this);
        return apply(native, this, given);
      },
    };
    define(ArrayPrototype, name, limited[name]);
  }
  const concat = ArrayPrototype.concat;
  define(ArrayPrototype, "concat", function (...given) {
    listOf("concat", this);
    for (let at = 0; at < given.length; at += 1) {
      if (isObject(given[at]) && "length" in given[at]) listOf("concat", given[at]);
    }
    return apply(concat, this, given);
  });
  const flatInto = (out, list, depth) => {
    for (let at = 0; at < list.length; at += 1) {
      if (!hasOwn(list, at)) continue;
      if (depth >= 1 && isArray(list[at])) flatInto(out, list[at], depth - 1);
      else apply(push, out, [list[at]]);
    }
    return out;
  };
  define(ArrayPrototype, "flat", function flat(depth = 1) {
    listOf("flat", this);
    return flatInto([], this, +depth);
  });
  define(ArrayPrototype, "flatMap", function flatMap(mapper, self) {
    listOf("flatMap", this);
    const mapped = [];
    for (let at = 0; at < this.length; at += 1) {
      if (hasOwn(this, at)) apply(push, mapped, [apply(mapper, self, [this[at], at, this])]);
    }
    return flatInto([], mapped, 1);
  });
  const bounded = (name, text, wanted) => {
    if (text.length * wanted.length > MAX_SEARCH) {
      throw new OurRangeError(`\`${name}\` was given texts that are too long to look for one in the other`);
    }
  };
  const searches = ["includes", "indexOf", "lastIndexOf"];
  for (let at = 0; at < searches.length; at += 1) {
    const name = searches[at];
    const native = StringPrototype[name];
    const limited = {
      [name](wanted, ...from) {
        if (isObject(wanted)) throw new OurTypeError(`\`${name}\` looks for a text`);
        if (this === undefined || this === null) return apply(native, this, [wanted]);
        const text = `${this}`;
        bounded(name, text, `${wanted}`);
        return from.length === 0 ? apply(native, text, [wanted]) : apply(native, text, [wanted, +from[0]]);
      },
    };
    define(StringPrototype, name, limited[name]);
  }
  const replaces = [["split", SPLIT], ["replace", REPLACE], ["replaceAll", REPLACE]];
  for (let at = 0; at < replaces.length; at += 1) {
    const name = replaces[at][0];
    const symbol = replaces[at][1];
    const native = StringPrototype[name];
    const limited = {
      [name](wanted, other) {
        if (this === undefined || this === null || wanted === undefined) return apply(native, this, [wanted, other]);
        if (isObject(wanted)) {
          const method = wanted[symbol];
          if (typeof method !== "function") throw new OurTypeError(`\`${name}\` looks for a text or a regular expression`);
          return apply(method, wanted, [`${this}`, other]);
        }
        const text = `${this}`;
        bounded(name, text, `${wanted}`);
        return apply(native, text, [`${wanted}`, other]);
      },
    };
    define(StringPrototype, name, limited[name]);
  }

  const fixed = (name, value) =>
    defineProperty(globalThis, name, { __proto__: null, value, writable: false, enumerable: false, configurable: false });
  fixed("agent", agent);
  fixed("args", parse(argsText));
  return { __proto__: null, start, settle };
})
