//! Functions on numbers.

use crate::kind::{Expects, Gives};
use crate::run::Runtime;
use crate::value::Value;
use cypher_syntax::{Error, ErrorKind, Result};

use super::{Body, Function, row, wrong_type};

pub(super) const FUNCTIONS: &[Function] = &[
    row(
        "abs",
        "abs(number) → number",
        "Without its sign.",
        ("number", 1),
        (&[Expects::Number], Gives::Same),
        Body::Plain(abs),
    ),
    row(
        "ceil",
        "ceil(number) → float",
        "The smallest whole number that is not less.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(ceil),
    ),
    row(
        "floor",
        "floor(number) → float",
        "The largest whole number that is not greater.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(floor),
    ),
    row(
        "round",
        "round(number[, places]) → float",
        "The nearest whole number, or with so many decimal places.",
        ("number", 1),
        (&[Expects::Number, Expects::Number], Gives::Float),
        Body::Plain(round),
    ),
    row(
        "sign",
        "sign(number) → integer",
        "-1, 0 or 1.",
        ("number", 1),
        (&[Expects::Number], Gives::Int),
        Body::Plain(sign),
    ),
    row(
        "sqrt",
        "sqrt(number) → float",
        "The square root.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(sqrt),
    ),
    row(
        "exp",
        "exp(number) → float",
        "e to that power.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(exp),
    ),
    row(
        "log",
        "log(number) → float",
        "The natural logarithm.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(log),
    ),
    row(
        "log10",
        "log10(number) → float",
        "The decimal logarithm.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(log10),
    ),
    row("e", "e() → float", "The base of natural logarithms.", ("number", 0), (&[], Gives::Float), Body::Plain(e)),
    row("pi", "pi() → float", "The number pi.", ("number", 0), (&[], Gives::Float), Body::Plain(pi)),
    row(
        "sin",
        "sin(radians) → float",
        "The sine.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(sin),
    ),
    row(
        "cos",
        "cos(radians) → float",
        "The cosine.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(cos),
    ),
    row(
        "tan",
        "tan(radians) → float",
        "The tangent.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(tan),
    ),
    row(
        "cot",
        "cot(radians) → float",
        "The cotangent.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(cot),
    ),
    row(
        "asin",
        "asin(number) → float",
        "The arcsine.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(asin),
    ),
    row(
        "acos",
        "acos(number) → float",
        "The arccosine.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(acos),
    ),
    row(
        "atan",
        "atan(number) → float",
        "The arctangent.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(atan),
    ),
    row(
        "atan2",
        "atan2(y, x) → float",
        "The angle of a point.",
        ("number", 2),
        (&[Expects::Number, Expects::Number], Gives::Float),
        Body::Plain(atan2),
    ),
    row(
        "degrees",
        "degrees(radians) → float",
        "Radians as degrees.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(degrees),
    ),
    row(
        "radians",
        "radians(degrees) → float",
        "Degrees as radians.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(radians),
    ),
    row(
        "haversin",
        "haversin(radians) → float",
        "Half of the versine.",
        ("number", 1),
        (&[Expects::Number], Gives::Float),
        Body::Plain(haversin),
    ),
    row(
        "isNaN",
        "isNaN(number) → boolean",
        "Whether it is no number at all.",
        ("number", 1),
        (&[Expects::Number], Gives::Bool),
        Body::Plain(is_nan),
    ),
    row(
        "rand",
        "rand() → float",
        "A random number from 0 up to, but not including, 1.",
        ("number", 0),
        (&[], Gives::Float),
        Body::Plain(rand),
    ),
];

fn number(name: &str, value: &Value) -> Result<f64> {
    match value {
        Value::Int(number) => Ok(*number as f64),
        Value::Float(number) => Ok(*number),
        other => Err(wrong_type(name, "a number", other)),
    }
}

fn float(name: &str, value: &Value, apply: fn(f64) -> f64) -> Result<Value> {
    number(name, value).map(|number| Value::Float(apply(number)))
}

fn ceil(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("ceil", &values[0], f64::ceil)
}

fn floor(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("floor", &values[0], f64::floor)
}

fn sqrt(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("sqrt", &values[0], f64::sqrt)
}

fn exp(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("exp", &values[0], f64::exp)
}

fn sin(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("sin", &values[0], f64::sin)
}

fn cos(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("cos", &values[0], f64::cos)
}

fn tan(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("tan", &values[0], f64::tan)
}

fn asin(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("asin", &values[0], f64::asin)
}

fn acos(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("acos", &values[0], f64::acos)
}

fn atan(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("atan", &values[0], f64::atan)
}

fn log(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("log", &values[0], f64::ln)
}

fn log10(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("log10", &values[0], f64::log10)
}

fn degrees(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("degrees", &values[0], f64::to_degrees)
}

fn radians(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("radians", &values[0], f64::to_radians)
}

fn cot(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("cot", &values[0], |x| 1.0 / x.tan())
}

fn haversin(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    float("haversin", &values[0], |x| (1.0 - x.cos()) / 2.0)
}

fn abs(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let Value::Int(whole) = values[0] else { return float("abs", &values[0], f64::abs) };
    let too_large = || Error::run(ErrorKind::NumberOutOfRange, format!("abs({whole}) does not fit into 64 bits"));
    whole.checked_abs().map(Value::Int).ok_or_else(too_large)
}

fn round(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let exact = number("round", &values[0])?;
    let places = match values.get(1) {
        None => 0,
        Some(Value::Int(places)) if (0..=300).contains(places) => i32::try_from(*places).unwrap_or(0),
        Some(other) => return Err(wrong_type("round", "a number of decimal places from 0 to 300", other)),
    };
    if places == 0 {
        return Ok(Value::Float((exact + 0.5).floor()));
    }
    let factor = 10_f64.powi(places);
    let scaled = exact * factor;
    Ok(Value::Float(if scaled.is_finite() { scaled.round() / factor } else { exact }))
}

fn sign(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let number = number("sign", &values[0])?;
    Ok(Value::Int(i64::from(number > 0.0) - i64::from(number < 0.0)))
}

fn e(_: &Runtime<'_>, _: &[Value]) -> Result<Value> {
    Ok(Value::Float(std::f64::consts::E))
}

fn pi(_: &Runtime<'_>, _: &[Value]) -> Result<Value> {
    Ok(Value::Float(std::f64::consts::PI))
}

fn atan2(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(Value::Float(number("atan2", &values[0])?.atan2(number("atan2", &values[1])?)))
}

fn is_nan(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(Value::Bool(number("isNaN", &values[0])?.is_nan()))
}

fn rand(runtime: &Runtime<'_>, _: &[Value]) -> Result<Value> {
    Ok(Value::Float(runtime.random()))
}
